/** The state of a document: one that moderators restore keeps its version, but at a new time. */
export interface DocumentState {
  version: number
  /** Undefined if content is of the release before, which does not send it. */
  created_at: number | undefined
}

/** Whether both are the same as far as they say; undefined is a document that is not there. */
export function isSameState(one?: DocumentState, other?: DocumentState): boolean {
  if (one === undefined || other === undefined) return one === other
  if (one.version !== other.version) return false
  const times = [one.created_at, other.created_at]
  return times.includes(undefined) || times[0] === times[1]
}

/** What tells the states of a document apart: what moderators bring back keeps its version, under a new time. */
export interface DocumentState {
  version: number
  /** Undefined where content is of the release before, which does not tell it. */
  created_at: number | undefined
}

/** Whether both say the same as far as they say it; undefined is a document that is not there. */
export function isSameState(one?: DocumentState, other?: DocumentState): boolean {
  if (one === undefined || other === undefined) return one === other
  if (one.version !== other.version) return false
  const times = [one.created_at, other.created_at]
  return times.includes(undefined) || times[0] === times[1]
}

/** The time formatted last: most texts were updated when they were created, so it often repeats. */
let last = { ms: 0, text: new Date(0).toISOString() }

/** Milliseconds since 1970 as ISO 8601 in UTC with milliseconds. */
export function isoTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}

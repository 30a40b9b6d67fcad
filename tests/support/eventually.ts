const DEADLINE_MS = 15_000
const PAUSE_MS = 25

/** Asks until the answer is truthy, within a bound; says what it waited for and last saw. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const until = Date.now() + deadlineMs
  let last: unknown
  while (Date.now() < until) {
    last = await ask()
    if (last) return last as T
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`not within ${deadlineMs} ms: ${what}; last seen: ${JSON.stringify(last)}`)
}

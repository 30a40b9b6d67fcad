/** A step of a second or two takes ten times as long on a busy machine. */
const DEADLINE_MS = 40_000
const PAUSE_MS = 20

/** Tries until `check` passes; after the deadline it throws the last error of `check`. */
export async function eventuallyPasses<T>(
  check: () => Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const until = performance.now() + deadlineMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/**
 * Asks until the answer is truthy; after the deadline it throws what it waited for and last saw.
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const answered = async () => {
    const answer = await ask()
    if (!answer) throw new Error(JSON.stringify(answer))
    return answer as T
  }
  try {
    return await eventuallyPasses(answered, deadlineMs)
  } catch (cause) {
    const last = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`not within ${deadlineMs} ms: ${what}; last seen: ${last}`, { cause })
  }
}

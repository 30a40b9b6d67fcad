import type { Answer } from '../agent.ts'

const PAUSE_MS = 50

/** Stands for the answer if there is none. */
export function unanswered(error: unknown): Answer {
  return { status: 599, headers: {}, body: null, text: String(error) }
}

/**
 * Sends the request again while its answer is lost or retryable, until `patienceMs` have passed.
 */
export async function untilAnswered(
  send: () => Promise<Answer>,
  patienceMs: number,
): Promise<Answer> {
  const until = performance.now() + patienceMs
  for (;;) {
    const answer = await send().catch(unanswered)
    const isAnswer = answer.status < 500 && answer.body?.retryable !== true
    if (isAnswer || performance.now() > until) return answer
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

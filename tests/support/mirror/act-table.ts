import type { Answer } from '../agent.ts'
import type { World } from './world.ts'

/** A request that was sent, and what the world learns from its answer. */
export interface Sent {
  answer: Promise<Answer>
  learn?: (answer: Answer) => void
}

/**
 * Draws all it needs from the world at once and sends a request; returns undefined if there is
 * nothing to act on.
 */
type Act = (world: World) => Sent | undefined

/**
 * The answer that counts of several requests that may all succeed: the first failure, or else the
 * first answer.
 */
export async function worstOf(sent: Promise<Answer[]>): Promise<Answer> {
  const answers = await sent
  return answers.find(({ status }) => status >= 500) ?? (answers[0] as Answer)
}

/** The acts by name: how often each is done in comparison, and the function that does it. */
export type Acts = Record<string, [weight: number, act: Act]>

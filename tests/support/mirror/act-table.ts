import type { Answer } from '../agent.ts'
import type { World } from './world.ts'

/** A request that was sent, and what the world learns from its answer. */
export interface Sent {
  answer: Promise<Answer>
  learn?: (answer: Answer) => void
}

/**
 * Draws all it needs from the world at once and sends a request; undefined where there is nothing
 * to do it to.
 */
type Act = (world: World) => Sent | undefined

/** What came of several that may all land. */
export async function worstOf(sent: Promise<Answer[]>): Promise<Answer> {
  const answers = await sent
  return answers.find(({ status }) => status >= 500) ?? (answers[0] as Answer)
}

/** How often each is done, and how. */
export type Acts = Record<string, [weight: number, act: Act]>

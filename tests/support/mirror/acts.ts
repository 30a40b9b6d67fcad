import type { Acts, Sent } from './act-table.ts'
import { ACTS_AT_ONCE } from './acts-at-once.ts'
import { ACTS_OF_ACCOUNTS } from './acts-of-accounts.ts'
import { ACTS_OF_AUTHORS } from './acts-of-authors.ts'
import { ACTS_OF_MODERATORS } from './acts-of-moderators.ts'
import { ACTS_OF_OPERATORS } from './acts-of-operators.ts'
import { ACTS_OF_READERS } from './acts-of-readers.ts'
import { unanswered } from './until-answered.ts'
import type { World } from './world.ts'

const ACTS: Acts = {
  ...ACTS_OF_AUTHORS,
  ...ACTS_OF_ACCOUNTS,
  ...ACTS_OF_READERS,
  ...ACTS_OF_MODERATORS,
  ...ACTS_OF_OPERATORS,
  ...ACTS_AT_ONCE,
}

/** How many acts are in flight at once. */
const TOGETHER = 6

/**
 * Does `count` acts at random, in rounds. The acts of a round are drawn when the round before is
 * over, and their answers are noted in the order of sending, so that a seed does the same again,
 * except for the order of what was in flight together. `beside` runs during each round.
 */
export async function act(
  world: World,
  count: number,
  beside: () => Promise<unknown>,
): Promise<void> {
  for (let round = 0; round * TOGETHER < count; round++) {
    const sent = Array.from({ length: TOGETHER }, () => sendOne(world)).filter(
      (one) => one !== undefined,
    )
    const [answers] = await Promise.all([
      Promise.all(
        sent.map(async ({ what, answer, learn }) => ({
          what,
          learn,
          answer: await answer.catch(unanswered),
        })),
      ),
      beside(),
    ])
    for (const { what, answer, learn } of answers) {
      if (answer.status >= 500) world.failures.push(`${what}: ${answer.text}`)
      if (answer.status < 300) learn?.(answer)
    }
  }
}

function sendOne(world: World): ({ what: string } & Sent) | undefined {
  const total = Object.values(ACTS).reduce((sum, [weight]) => sum + weight, 0)
  let left = world.random.next() * total
  for (const [what, [weight, act]] of Object.entries(ACTS)) {
    left -= weight
    if (left > 0) continue
    const sent = act(world)
    return sent && { what, ...sent }
  }
  return undefined
}

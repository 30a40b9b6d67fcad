import { setTimeout as pause } from 'node:timers/promises'

/** Pause between pages, which leaves the database to its other users. */
const BETWEEN_MS = 5

/**
 * Reads page after page. `turn` returns the key after which the next page begins; null at the end.
 */
export async function pages(turn: (after: string) => Promise<string | null>): Promise<void> {
  for (let after: string | null = ''; after !== null; await pause(BETWEEN_MS)) {
    after = await turn(after)
  }
}

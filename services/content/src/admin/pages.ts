import { setTimeout as pause } from 'node:timers/promises'

/** Between pages, for everybody else. */
const BETWEEN_MS = 5

/** Turns page after page; each answers behind which the next begins, and null where there is none. */
export async function pages(turn: (after: string) => Promise<string | null>): Promise<void> {
  for (let after: string | null = ''; after !== null; await pause(BETWEEN_MS)) {
    after = await turn(after)
  }
}

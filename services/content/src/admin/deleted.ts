import type { Database } from '../database.ts'
import { countKept, countWaitingAboutGone, emptyKept, KEPT_TEXTS } from '../tables/deleted-texts.ts'
import type { Command } from './command.ts'
import { pages } from './pages.ts'

const NOTHING = 'The database holds no deleted text.'

async function check(db: Database): Promise<string[]> {
  const found = await walk(db, countKept)
  const lines =
    found.length > 0 ? [...found, 'To erase these texts: npm run admin -- deleted erase'] : []
  return [...lines, ...(await waiting(db, found.length))]
}

async function erase(db: Database): Promise<string[]> {
  const emptied = await walk(db, emptyKept)
  const lines = emptied.length > 0 ? [...emptied, 'These texts were erased.'] : []
  return [...lines, ...(await waiting(db, emptied.length))]
}

/** One line for each kind of text that is still held. */
async function walk(db: Database, read: typeof countKept): Promise<string[]> {
  const lines: string[] = []
  for (const kept of KEPT_TEXTS) {
    let sum = 0
    await pages(async (after) => {
      const { count, last } = await read(db, kept, after)
      sum += count
      return last
    })
    if (sum > 0) lines.push(`${kept.noun}: ${sum}`)
  }
  return lines
}

async function waiting(db: Database, found: number): Promise<string[]> {
  const count = await countWaitingAboutGone(db)
  if (count > 0) return [`Waiting alerts that keep the deleted text they are about: ${count}`]
  return found > 0 ? [] : [NOTHING]
}

export const deletedCommands: Record<string, Command> = {
  'deleted check': {
    usage: 'deleted check',
    summary: 'count the texts that their authors deleted and the database still holds',
    words: 0,
    run: check,
  },
  'deleted erase': {
    usage: 'deleted erase',
    summary: 'erase these texts, for good',
    words: 0,
    run: erase,
  },
}

import { setTimeout as pause } from 'node:timers/promises'
import type { QueryConfig } from 'pg'
import type { Database } from '../database.ts'
import {
  COUNTERS,
  type Counters,
  correctCounters,
  type Drift,
  findDrift,
} from '../tables/counters.ts'
import type { Command } from './command.ts'

const LISTED_MAX = 50
/** So many rows are held at once, while whoever changes what they count waits. */
const TOGETHER_MAX = 20
/** Between pages, for everybody else. */
const BETWEEN_MS = 5

const INDEX = 'votes_of_recount_idx'
const INDEX_WITHIN_MS = 6 * 3_600_000

async function check(db: Database): Promise<string[]> {
  const { lines, found } = await recount(db, async () => {})
  if (found === 0) return ['All counters are what they count.']
  return [...lines, `${found} differ. To correct them: npm run admin -- counters mend`]
}

async function mend(db: Database): Promise<string[]> {
  const { lines, found } = await recount(db, async (counters, drift) => {
    for (let from = 0; from < drift.length; from += TOGETHER_MAX) {
      const ids = drift.slice(from, from + TOGETHER_MAX).map(({ id }) => id)
      await db.transaction(async (tx) => correctCounters(tx, counters, ids))
    }
  })
  if (found === 0) return ['All counters are what they count.']
  const next = 'The hot order goes by them after: npm run rebuild -- ranking'
  return [...lines, `${found} were corrected. ${next}`]
}

type Mend = (counters: Counters, drift: Drift[]) => Promise<void>

/**
 * Counts everything anew, a page at a time, while the forum goes on. Votes are indexed by what they
 * are for meanwhile: nothing else asks for that, and each vote would pay for it.
 */
async function recount(db: Database, act: Mend): Promise<{ lines: string[]; found: number }> {
  const lines: string[] = []
  let found = 0
  await runForLong(db, `DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`)
  try {
    await runForLong(db, `CREATE INDEX CONCURRENTLY ${INDEX} ON votes (target_id) INCLUDE (value)`)
    for (const counters of COUNTERS) {
      for (let after: string | null = ''; after !== null; await pause(BETWEEN_MS)) {
        const { drift, last } = await findDrift(db, counters, after)
        for (const one of drift) {
          if (lines.length < LISTED_MAX) lines.push(lineOf(counters, one))
        }
        found += drift.length
        await act(counters, drift)
        after = last
      }
    }
  } finally {
    await runForLong(db, `DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`)
  }
  if (found > lines.length) lines.push(`… and ${found - lines.length} more`)
  return { lines, found }
}

function lineOf({ noun, columns }: Counters, { id, kept, counted }: Drift): string {
  const wrong = Object.keys(columns).filter((column) => kept[column] !== counted[column])
  if (noun === 'thread') return `thread of ${id}: parts of it are to be counted for their authors`
  const said = wrong.map((column) => `${column} ${kept[column]}, counted ${counted[column]}`)
  return `${noun} ${id}: ${said.join('; ')}`
}

/** On a connection of its own, since no other statement may take so long. */
async function runForLong(db: Database, text: string): Promise<void> {
  const client = await db.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SET lock_timeout = 0')
    const asked: QueryConfig & { query_timeout: number } = { text, query_timeout: INDEX_WITHIN_MS }
    await client.query(asked)
  } finally {
    await client.end()
  }
}

export const counterCommands: Record<string, Command> = {
  'counters check': {
    usage: 'counters check',
    summary: 'count votes, posts, comments and reproductions anew, and say what differs',
    words: 0,
    run: check,
  },
  'counters mend': {
    usage: 'counters mend',
    summary: 'the same, and correct what differs',
    words: 0,
    run: mend,
  },
}

import { piecesOf } from '@stoa/shared/process/pieces.js'
import type pg from 'pg'
import type { Database } from '../database.ts'
import {
  COUNTERS,
  type Counters,
  correctCounters,
  type Drift,
  findDrift,
  findUntold,
  tellAgain,
  wrongColumns,
} from '../tables/counters.ts'
import { findListedOtherwise, listAsTheyAre } from '../tables/listed-posts.ts'
import type { Transaction } from '../transaction.ts'
import { type Command, Refused } from './command.ts'
import { pages } from './pages.ts'

const LISTED_MAX = 50
/** The most rows locked at once, for as long as it takes to write them. */
const TOGETHER_MAX = 20
const INDEX = 'votes_of_recount_idx'
const INDEX_WITHIN_MS = 6 * 3_600_000

const BUSY =
  'Another recount is under way: that of another command, or of one that was killed while it made its index. Try again later.'
const WELL = 'All counters are right.'

async function check(db: Database): Promise<string[]> {
  const found = await recount(db, false)
  if (found.count === 0) return [WELL]
  return [
    ...linesOf(found),
    `${found.count} differ. To correct them: npm run admin -- counters mend`,
  ]
}

async function mend(db: Database): Promise<string[]> {
  const found = await recount(db, true)
  if (found.count === 0) return [WELL]
  const next = 'To apply that to the hot order: npm run rebuild -- ranking'
  return [...linesOf(found), `${found.count} were corrected. ${next}`]
}

interface Found {
  count: number
  /** Describe the first LISTED_MAX of them. */
  lines: string[]
}

function linesOf({ count, lines }: Found): string[] {
  const more = count - lines.length
  return more > 0 ? [...lines, `… and ${more} more`] : lines
}

/** Counts everything again, a page at a time, while the forum goes on. */
async function recount(db: Database, mends: boolean): Promise<Found> {
  const found: Found = { count: 0, lines: [] }
  const note = (line: string) => {
    found.count++
    if (found.lines.length < LISTED_MAX) found.lines.push(line)
  }
  await withVotesIndexed(db, async () => {
    for (const counters of COUNTERS) {
      await pages(async (after) => {
        const { drift, last } = await findDrift(db, counters, after)
        for (const one of drift) note(lineOf(counters, one))
        const ids = drift.map(({ id }) => id)
        if (mends) await some(db, ids, (tx, few) => correctCounters(tx, counters, few))
        return last
      })
    }
  })
  await pages(async (after) => {
    const { posts, last } = await findListedOtherwise(db, after)
    for (const { id, wrong } of posts) note(`post ${id}: lists use another ${wrong.join(', ')}`)
    const ids = posts.map(({ id }) => id)
    if (mends) await some(db, ids, async (tx, few) => listAsTheyAre(tx, few))
    return last
  })
  await pages(async (after) => {
    const { ids, last } = await findUntold(db, after)
    for (const id of ids) note(`thread of ${id}: parts of it are counted wrongly for their authors`)
    if (mends) await some(db, ids, async (tx, few) => tellAgain(tx, few))
    return last
  })
  return found
}

async function some(
  db: Database,
  ids: string[],
  act: (tx: Transaction, few: string[]) => Promise<void>,
): Promise<void> {
  for (const few of piecesOf(ids, TOGETHER_MAX)) await db.transaction((tx) => act(tx, few))
}

function lineOf({ noun }: Counters, drift: Drift): string {
  const { id, kept, counted } = drift
  const said = wrongColumns(drift).map(
    (name) => `${name} ${kept[name]}, should be ${counted[name]}`,
  )
  return `${noun} ${id}: ${said.join('; ')}`
}

/**
 * Keeps an index of votes by target while they are counted: nothing else needs that index, and each
 * vote would pay for it. Throws `Refused` if another command counts, because one of the two would
 * drop the other's index. Uses a connection of its own, because no other statement may take so
 * long.
 */
async function withVotesIndexed(db: Database, run: () => Promise<void>): Promise<void> {
  const client = await db.connect()
  const runForLong = (text: string) =>
    client.query({ text, query_timeout: INDEX_WITHIN_MS } as Long)
  try {
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_session_timeout']) {
      await client.query(`SET ${limit} = 0`)
    }
    const { rows } = await client.query<{ alone: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('counters', 0)) AS alone`,
    )
    if (!rows[0]?.alone) throw new Refused(BUSY)
    await runForLong(`DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`)
    try {
      await runForLong(`CREATE INDEX CONCURRENTLY ${INDEX} ON votes (target_id) INCLUDE (value)`)
      await run()
    } finally {
      await runForLong(`DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`)
    }
  } finally {
    await client.end()
  }
}

type Long = pg.QueryConfig & { query_timeout: number }

export const counterCommands: Record<string, Command> = {
  'counters check': {
    usage: 'counters check',
    summary: 'recount votes, posts, comments and reproductions, and list wrong counters',
    words: 0,
    run: check,
  },
  'counters mend': {
    usage: 'counters mend',
    summary: 'do the same, and correct wrong counters',
    words: 0,
    run: mend,
  },
}

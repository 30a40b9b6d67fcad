import type { Database } from '../database.ts'
import { isoTime } from '../iso-time.ts'
import { listDead, replayDead } from '../tables/webhook-deliveries.ts'
import { type Command, Refused } from './command.ts'

const LISTED_MAX = 50
/**
 * The most deliveries replayed in one transaction, so that sending begins while others still wait.
 */
const TOGETHER_MAX = 1_000

async function dead(db: Database): Promise<string[]> {
  const rows = await db.read((query) => listDead(query, LISTED_MAX))
  const [first] = rows
  if (!first) return ['No delivery has been given up.']
  const lines = rows.map(
    (row) =>
      `${row.event_id}  given up ${isoTime(row.dead_at)} after ${row.attempts} attempts, ` +
      `last status ${row.last_status ?? 'none'}`,
  )
  const more = first.total - rows.length
  return more > 0 ? [...lines, `… and ${more} more`] : lines
}

async function replay(db: Database, [eventId]: string[]): Promise<string[]> {
  // Only deliveries given up before now. A receiver that is still gone refuses them again while
  // this command waits for others, and would be sent them without end.
  const [{ until }] = (await db.read((query) =>
    query.rows('replay-until', 'SELECT now()::text AS until', []),
  )) as [{ until: string }]
  const replayed = { eventId: eventId ?? null, until, max: TOGETHER_MAX }
  let count = 0
  let some: number
  do {
    some = await db.transaction((tx) => replayDead(tx, replayed))
    count += some
  } while (some > 0)
  if (eventId !== undefined && count === 0) {
    throw new Refused(`No delivery of ${eventId} has been given up.`)
  }
  return [`${count} ${count === 1 ? 'delivery' : 'deliveries'} will be sent again.`]
}

export const webhookCommands: Record<string, Command> = {
  'webhook dead': {
    usage: 'webhook dead',
    summary: 'list the webhook deliveries that were given up',
    words: 0,
    run: dead,
  },
  'webhook replay': {
    usage: 'webhook replay [event id]',
    summary: 'send given-up deliveries again, of one event or all',
    words: 0,
    optional: 1,
    run: replay,
  },
}

import type { Database } from '../database.ts'
import { isoTime } from '../iso-time.ts'
import { listDead, replayDead } from '../tables/webhook-deliveries.ts'
import type { Command } from './command.ts'

const LISTED_MAX = 50

async function dead(db: Database): Promise<string[]> {
  const rows = await db.read((query) => listDead(query, LISTED_MAX))
  if (rows.length === 0) return ['No delivery has been given up.']
  return rows.map(
    (row) =>
      `${row.event_id}  given up ${isoTime(row.dead_at)} after ${row.attempts} attempts, ` +
      `last status ${row.last_status ?? 'none'}`,
  )
}

async function replay(db: Database, [eventId]: string[]): Promise<string[]> {
  const count = await db.transaction((tx) => replayDead(tx, eventId ?? null))
  return [`${count} deliveries are tried again.`]
}

export const webhookCommands: Record<string, Command> = {
  'webhook dead': {
    usage: 'webhook dead',
    summary: 'list the deliveries that were given up',
    words: 0,
    run: dead,
  },
  'webhook replay': {
    usage: 'webhook replay [event id]',
    summary: 'try given-up deliveries again, one event or all',
    words: 0,
    run: replay,
  },
}

import type { Bus } from '@stoa/shared/bus/bus.js'
import { streamState } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import type { Gauge } from '@stoa/shared/process/metrics.js'
import type { Database } from './database.ts'
import type { ContentDeps } from './deps.ts'
import { countUndelivered } from './tables/webhook-deliveries.ts'
import { hashOf } from './webhooks/webhooks.ts'
import type { Attendance } from './workers/attendance.ts'

/** The gauge of the pool comes first, so that it does not count the queries of the other gauges. */
export function gaugesOf(
  { db, bus }: Pick<ContentDeps, 'db' | 'bus'>,
  attendance: Attendance,
  webhookUrls: string[],
) {
  return [
    async () => poolGauges(db),
    async () => attendance.gauges(),
    () => readBacklog(db),
    () => readDeadLetters(bus),
    () => readUndelivered(db, webhookUrls.map(hashOf)),
  ]
}

function poolGauges(db: Database): Gauge[] {
  const help = 'What waits for a connection to PostgreSQL, since all of the pool are taken.'
  return [{ name: 'stoa_database_pool_waiting', help, value: db.waiting() }]
}

interface BacklogRow {
  unscanned: number
  unscanned_age: number
  unsent: number
  unsent_age: number
}

/**
 * The texts that wait for a scan and the events not yet sent; ages are of the oldest, in seconds.
 */
async function readBacklog(db: Database): Promise<Gauge[]> {
  const [row] = await db.read((query) =>
    query.rows<BacklogRow>(
      'backlog',
      `SELECT w.*, o.* FROM (
         SELECT count(*) AS unscanned,
           coalesce(extract(epoch FROM now() - min(submitted_at)), 0)::float8 AS unscanned_age
         FROM submissions WHERE visibility = 'pending' AND verdict IS NULL
       ) w, (
         SELECT count(*) AS unsent,
           coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS unsent_age
         FROM outbox WHERE sent_at IS NULL
       ) o`,
    ),
  )
  if (!row) throw new Error('a count without a row')
  return [
    {
      name: 'stoa_unscanned_texts',
      help: 'Texts that wait for a verdict of the scanner.',
      value: row.unscanned,
    },
    {
      name: 'stoa_unscanned_age_seconds',
      help: 'For how long the oldest text without a verdict has waited.',
      value: row.unscanned_age,
    },
    {
      name: 'stoa_unsent_events',
      help: 'Events that the bus does not have yet.',
      value: row.unsent,
    },
    {
      name: 'stoa_unsent_age_seconds',
      help: 'For how long the oldest event has waited that the bus does not have yet.',
      value: row.unsent_age,
    },
  ]
}

async function readDeadLetters({ nc }: Bus): Promise<Gauge[]> {
  const { messages } = await streamState(nc, STREAMS.dead.name)
  const help = 'Events that were given up and not replayed, of the last 30 days.'
  return [{ name: 'stoa_dead_letters', help, value: messages }]
}

async function readUndelivered(db: Database, urlHashes: string[]): Promise<Gauge[]> {
  const { given_up, waiting_age } = await db.read((query) => countUndelivered(query, urlHashes))
  return [
    {
      name: 'stoa_webhooks_given_up',
      help: 'Webhooks to addresses of WEBHOOK_URLS that were given up and not replayed, of the last 30 days.',
      value: given_up,
    },
    {
      name: 'stoa_undelivered_age_seconds',
      help: 'For how long the oldest webhook has waited that an address of WEBHOOK_URLS has not taken.',
      value: waiting_age,
    },
  ]
}

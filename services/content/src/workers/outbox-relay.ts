import type { Bus } from '@stoa/shared/bus/bus.js'
import { OUTBOX_WAKE } from '@stoa/shared/contracts/events.js'
import type { Logger } from '@stoa/shared/logger.js'
import type { Client } from 'pg'
import type { Database } from '../database.ts'
import { startLoop, type Worker } from './loop.ts'
import { resendLost } from './resend-lost.ts'

interface OutboxRow {
  seq: number
  id: string
  subject: string
  event: string
}

export interface Relay extends Worker {
  /** Whether this process is the one that sends. */
  leads(): boolean
}

/** Any number; it only has to differ from other advisory locks of the database. */
const LEADER_LOCK = 7_331_001
const BATCH_MAX = 256
const IDLE_MS = 500
const STREAM_CHECK_MS = 5_000

/** The connection that leads, and what was published on it but not marked as sent yet. */
interface Leader {
  client: Client
  unmarked: number[]
}

/**
 * Publishes the outbox, in order, as the one leader. Leadership is a lock held by the very
 * connection that reads and marks the rows, so it cannot outlive it. Every event has its id as
 * `Nats-Msg-Id`, and a row that was published but not marked is published again.
 */
export function startRelay(db: Database, bus: Bus, log: Logger): Relay {
  let leader: Leader | undefined
  let checkedAt = 0
  const loop = startLoop('outbox-relay', IDLE_MS, log, async () => {
    try {
      leader ??= await becomeLeader(db)
      if (!leader || !bus.connected()) return 'rest'
      if (Date.now() - checkedAt > STREAM_CHECK_MS) {
        // What is lost is found among what is marked.
        await markSent(leader.client, leader.unmarked.splice(0))
        await resendLost(leader.client, bus, log)
        checkedAt = Date.now()
      }
      return (await relayBatch(leader, bus, log)) ? 'again' : 'rest'
    } catch (error) {
      await leader?.client.end().catch(() => {})
      leader = undefined
      throw error
    }
  })
  bus.hear(OUTBOX_WAKE, loop.wake)
  return {
    leads: () => leader !== undefined,
    wake: loop.wake,
    close: async () => {
      await loop.close()
      await leader?.client.end().catch(() => {})
    },
  }
}

async function becomeLeader(db: Database): Promise<Leader | undefined> {
  const client = await db.connect()
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS leads', [LEADER_LOCK])
  if (rows[0].leads) {
    // A mark that a crash loses costs a second publication, which does nothing; a wait for the
    // disk would hold up the next batch.
    await client.query('SET synchronous_commit = off')
    return { client, unmarked: [] }
  }
  await client.end()
  return undefined
}

/**
 * Marks what was published before and publishes what waits now; the two statements share a round
 * trip. Answers whether it published anything, and there is something to mark.
 */
async function relayBatch(leader: Leader, bus: Bus, log: Logger): Promise<boolean> {
  const { client } = leader
  // Awaited as one: where the connection is lost both fail, and neither may fail unheard.
  const [, rows] = await Promise.all([
    markSent(client, leader.unmarked.splice(0)),
    unsentEvents(client),
  ])
  const answers = await Promise.allSettled(
    rows.map((row) => bus.publish(row.subject, row.event, row.id)),
  )
  const done = rows.filter((row, i) => settled(row, answers[i], log))
  leader.unmarked = done.map((row) => row.seq)
  if (done.length < rows.length) {
    await markSent(client, leader.unmarked.splice(0))
    throw new Error('some events were not acknowledged')
  }
  return done.length > 0
}

async function unsentEvents(client: Client): Promise<OutboxRow[]> {
  const { rows } = await client.query<OutboxRow>({
    name: 'unsent-events',
    text: 'SELECT seq, id, subject, event FROM outbox WHERE sent_at IS NULL ORDER BY seq LIMIT $1',
    values: [BATCH_MAX],
  })
  return rows
}

async function markSent(client: Client, seqs: number[]): Promise<void> {
  if (seqs.length === 0) return
  await client.query({
    name: 'mark-sent',
    text: 'UPDATE outbox SET sent_at = now() WHERE seq = ANY($1)',
    values: [seqs],
  })
}

/** Stream full (10077 and 10122): the sweep asks for these scans again once there is room. */
const STREAM_FULL = new Set([10_077, 10_122])

/** Whether a row is done with: acknowledged, or one that can never be. */
function settled(
  row: OutboxRow,
  answer: PromiseSettledResult<unknown> | undefined,
  log: Logger,
): boolean {
  if (answer?.status === 'fulfilled') return true
  const error: unknown = answer?.reason
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (row.subject === 'scan.requested' && STREAM_FULL.has(code as number)) return true
  const tooLarge = error instanceof Error && /max_payload|payload/i.test(error.message)
  if (tooLarge) log.error({ event_id: row.id, subject: row.subject }, 'event can never be sent')
  return tooLarge
}

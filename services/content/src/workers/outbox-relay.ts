import type { Bus, Published } from '@stoa/shared/bus/bus.js'
import { StreamRefusal } from '@stoa/shared/bus/stream-refusal.js'
import { OUTBOX_WAKE } from '@stoa/shared/contracts/events.js'
import { scanRequested } from '@stoa/shared/contracts/scans.js'
import { isError } from '@stoa/shared/process/is-error.js'
import { type Logger, onceIn } from '@stoa/shared/process/logger.js'
import { within } from '@stoa/shared/process/within.js'
import type { Client } from 'pg'
import type { Database } from '../database.ts'
import { startLoop, type Worker } from './loop.ts'
import {
  dropConsumersAhead,
  findLost,
  loseStream,
  resendRecent,
  resendSome,
} from './resend-lost.ts'

interface OutboxRow {
  seq: number
  id: string
  subject: string
  event: string
}

/** Any number; it only has to differ from other advisory locks of the database. */
const LEADER_LOCK = 7_331_001
const BATCH_MAX = 256
const IDLE_MS = 500
const STREAM_CHECK_MS = 5_000
/** Rows are marked this far apart, or once this many wait: each update costs as much as a batch. */
const MARK_EVERY_MS = 100
const UNMARKED_MAX = 128
const LOOK_WITHIN_MS = 1_000
const HANG_UP_WITHIN_MS = 1_000
const WARN_EVERY_MS = 10_000
/** PostgreSQL ends a session sooner that does nothing for its client, unless it cannot. */
const SILENT_MAX = '20 seconds'
const HANGS = 'the session that leads the outbox hangs: no events are sent until it is ended'
const NO_ROOM = 'the bus has no room for scans: they are asked for again later'

/** The connection that leads, and the rows published on it but not yet marked as sent. */
interface Leader {
  client: Client
  unmarked: number[]
  markedAt: number
  /** Whether a stream lost events of which some rows still count as sent. */
  isResending: boolean
  /** The last sequence that each stream acknowledged to any leading connection of this process. */
  acknowledged: Map<string, number>
  /** Whether to log once more that scans found no room. */
  mayWarn: () => boolean
}

/**
 * Publishes the outbox, in order, as the only leader. Leadership is a lock held by the connection
 * that reads and marks the rows, so it cannot outlive that connection, and PostgreSQL ends a
 * connection that has fallen silent. Every event has its id as `Nats-Msg-Id`, and a row that was
 * published but not marked is published again.
 */
export function startRelay(db: Database, bus: Bus, log: Logger): Worker {
  let leader: Leader | undefined
  let hasLed = false
  // Outlives the leader: the failed turn that ends the leader may be due to the bus that loses
  // events.
  const acknowledged = new Map<string, number>()
  let checkedAt = Number.NEGATIVE_INFINITY
  const mayWarn = onceIn(WARN_EVERY_MS)
  const sayHung = (pid: number) => {
    if (mayWarn()) log.warn({ pid }, HANGS)
  }
  const loop = startLoop('outbox-relay', IDLE_MS, log, async () => {
    try {
      leader ??= await becomeLeader(db, acknowledged, sayHung)
      if (!leader) return 'rest'
      if (!hasLed) await resendRecent(leader.client)
      hasLed = true
      if (!bus.connected()) {
        // Keeps the connection alive, and with it the lead.
        await leader.client.query('SELECT 1')
        return 'rest'
      }
      if (performance.now() - checkedAt > STREAM_CHECK_MS) {
        // If the check fails, events are published all the same until the next check.
        checkedAt = performance.now()
        // Lost events are looked for among the rows marked as sent.
        await markSent(leader)
        leader.isResending = await findLost(leader.client, bus, log)
      }
      if (leader.isResending) leader.isResending = await resendSome(leader.client)
      // A commit after this read wakes the loop.
      const isMore = (await relayBatch(leader, bus, log)) === BATCH_MAX
      return isMore || leader.isResending ? 'again' : 'rest'
    } catch (error) {
      if (leader) await hangUp(leader.client)
      leader = undefined
      throw error
    }
  })
  // The bus may come back without its streams, and an event then waits for its acknowledgement
  // until its deadline.
  const unwatch = bus.watch({
    back: () => {
      checkedAt = Number.NEGATIVE_INFINITY
    },
  })
  // A replica that does not lead checks at its own pace whether any replica does.
  bus.hear(OUTBOX_WAKE, () => {
    if (leader) loop.wake()
  })
  return {
    // Of all processes that run a relay, only the leader sends.
    wake: () => (leader ? loop.wake() : bus.tell(OUTBOX_WAKE, null)),
    close: async () => {
      unwatch()
      await loop.close()
      if (!leader) return
      await markSent(leader).catch(() => {})
      await hangUp(leader.client)
    },
  }
}

async function becomeLeader(
  db: Database,
  acknowledged: Leader['acknowledged'],
  sayHung: (pid: number) => void,
): Promise<Leader | undefined> {
  // A replica that waits opens no connection of its own: PostgreSQL starts a process for each.
  if (await isLed(db, sayHung)) return undefined
  const client = await db.connect()
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS leads', [LEADER_LOCK])
    if (rows[0].leads) {
      // A mark lost in a crash costs a second publication, which does nothing; waiting for the disk
      // would delay the next batch.
      await client.query('SET synchronous_commit = off')
      return {
        client,
        unmarked: [],
        markedAt: performance.now(),
        isResending: false,
        acknowledged,
        mayWarn: onceIn(WARN_EVERY_MS),
      }
    }
  } catch (error) {
    await hangUp(client)
    throw error
  }
  await hangUp(client)
  return undefined
}

/**
 * Whether a connection of the pool finds a leader within a moment. If requests take all connections
 * of the pool, or they are lost, events must be sent all the same. A leader that hangs keeps its
 * lock, which nobody can take from it.
 */
async function isLed(db: Database, sayHung: (pid: number) => void): Promise<boolean> {
  const look = db.read((query) =>
    query.rows<{ pid: number; hangs: boolean | null }>(
      'leader-of-outbox',
      `SELECT pid, clock_timestamp() - a.state_change > $2::interval AS hangs
       FROM pg_locks JOIN pg_database d ON d.oid = database
         LEFT JOIN pg_stat_activity a USING (pid)
       WHERE locktype = 'advisory' AND d.datname = current_database()
         AND classid = 0 AND objid = $1 AND objsubid = 1`,
      [LEADER_LOCK, SILENT_MAX],
    ),
  )
  const holders = (await within(LOOK_WITHIN_MS, look)) ?? []
  for (const { pid, hangs } of holders) if (hangs) sayHung(pid)
  return holders.length > 0
}

/** Does not wait long for a server that is lost without a word. */
function hangUp(client: Client): Promise<void> {
  return within(HANG_UP_WITHIN_MS, client.end())
}

/**
 * Publishes waiting events, and now and then marks those published before; the two statements share
 * a round trip. Returns how many events it published.
 */
async function relayBatch(leader: Leader, bus: Bus, log: Logger): Promise<number> {
  const due =
    leader.unmarked.length >= UNMARKED_MAX || performance.now() - leader.markedAt > MARK_EVERY_MS
  // Awaited together: if the connection is lost both fail, and each rejection must be handled.
  const [, rows] = await Promise.all([due ? markSent(leader) : undefined, unsentEvents(leader)])
  const answers = await Promise.allSettled(
    rows.map((row) => bus.publish(row.subject, row.event, row.id)),
  )
  const done = rows.filter((row, i) => settled(row, answers[i], leader, log))
  leader.unmarked.push(...done.map((row) => row.seq))
  await noteStreams(leader, answers, bus, log)
  if (done.length < rows.length) {
    await markSent(leader)
    throw new Error('some events were not acknowledged')
  }
  return done.length
}

/**
 * A stream that acknowledges a sequence a second time has been restored to an earlier state. It may
 * have grown past that sequence again before the next check.
 */
async function noteStreams(
  leader: Leader,
  answers: PromiseSettledResult<Published>[],
  bus: Bus,
  log: Logger,
): Promise<void> {
  for (const answer of answers) {
    if (answer.status === 'rejected' || answer.value.duplicate) continue
    const { stream, seq } = answer.value
    if (seq <= (leader.acknowledged.get(stream) ?? 0)) {
      // If the loss cannot be stored, the next acknowledgement shows it again: this event, once it
      // is sent again, is one that the stream had before.
      leader.acknowledged.set(stream, Number.POSITIVE_INFINITY)
      // What was sent while the bus came back has taken the first of the lost places. Both at
      // once: a crash in between would leave the loss unknown, and a later acknowledgement, if the
      // loss cannot be stored now, names a later place.
      await Promise.all([
        loseStream(leader.client, stream, log),
        dropConsumersAhead(bus, stream, seq - 1),
      ])
      // Lost events are looked for among the rows marked as sent.
      await markSent(leader)
      leader.isResending = true
    }
    leader.acknowledged.set(stream, seq)
  }
}

async function unsentEvents({ client, unmarked }: Leader): Promise<OutboxRow[]> {
  const { rows } = await client.query<OutboxRow>({
    name: 'unsent-events',
    text: `SELECT seq, id, subject, event FROM outbox
           WHERE sent_at IS NULL AND seq <> ALL($2::bigint[]) ORDER BY seq LIMIT $1`,
    values: [BATCH_MAX, unmarked],
  })
  return rows
}

async function markSent(leader: Leader): Promise<void> {
  const seqs = leader.unmarked.splice(0)
  leader.markedAt = performance.now()
  if (seqs.length === 0) return
  await leader.client.query({
    name: 'mark-sent',
    text: 'UPDATE outbox SET sent_at = now() WHERE seq = ANY($1)',
    values: [seqs],
  })
}

/** Whether a row is done: it is acknowledged, or can never be. */
function settled(
  row: OutboxRow,
  answer: PromiseSettledResult<unknown> | undefined,
  { mayWarn }: Leader,
  log: Logger,
): boolean {
  if (answer?.status === 'fulfilled') return true
  const error: unknown = answer?.reason
  // The sweep asks for these scans again once there is room.
  const isFull = error instanceof StreamRefusal && error.isFull
  if (row.subject === scanRequested.subject && isFull) {
    if (mayWarn()) log.warn({ err: error }, NO_ROOM)
    return true
  }
  const tooLarge = isError(error) && /max_payload/.test(error.message)
  if (tooLarge) log.error({ event_id: row.id, subject: row.subject }, 'event can never be sent')
  return tooLarge
}

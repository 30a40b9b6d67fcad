import { jetstreamManager } from '@nats-io/jetstream'
import type { Bus } from '@stoa/shared/bus/bus.js'
import { streamState } from '@stoa/shared/bus/stream-state.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import type { Client } from 'pg'

/** Streams that the outbox fills, and the subjects by which its rows are found. */
const FILLED = [
  { name: STREAMS.forum.name, like: 'forum.%' },
  { name: STREAMS.rank.name, like: 'rank.%' },
  { name: STREAMS.scan.name, like: 'scan.%' },
  { name: STREAMS.alerts.name, like: 'alert.%' },
]

/** How many rows one statement unmarks, in well under a second of the ten seconds it may take. */
const ROWS_MAX = 20_000

/**
 * JetStream acknowledges before it syncs to disk, so a crash of the bus can lose what was
 * acknowledged. A stream that was created again, or whose last sequence went backwards, gets
 * everything the outbox still keeps (24 hours) once more; consumers do not mind. Those that stand
 * beyond the end of their stream are removed, before the next event takes a place that they have
 * passed. Missing streams are created. Returns whether there is something for `resendSome` to do.
 */
export async function findLost(client: Client, bus: Bus, log: Logger): Promise<boolean> {
  const stateOf = (name: string) =>
    streamState(bus.nc, name).catch(async () => {
      await ensureStreams(bus.nc)
      return streamState(bus.nc, name)
    })
  // The outbox sends nothing to this stream, but every consumer needs it.
  await stateOf(STREAMS.dead.name)
  for (const { name } of FILLED) {
    const { created, lastSeq } = await stateOf(name)
    await compare(client, { name, created, last_seq: lastSeq }, log)
    await dropConsumersAhead(bus, name)
  }
  const { rows } = await client.query('SELECT 1 FROM relay_streams WHERE resend_after IS NOT NULL')
  return rows.length > 0
}

/** Twice the time between two checks of the streams. */
const RECENT = '10 seconds'

/**
 * Unmarks the events sent last, so that they are sent again. A power failure ends the leader and
 * the bus together, and the bus may come back without what it acknowledged since the last check:
 * its streams then look as they did at that check.
 */
export async function resendRecent(client: Client): Promise<void> {
  await client.query(
    `WITH sent AS (
       SELECT seq, sent_at FROM outbox WHERE sent_at IS NOT NULL ORDER BY seq DESC LIMIT $1
     )
     UPDATE outbox SET sent_at = NULL WHERE seq IN (
       SELECT seq FROM sent WHERE sent_at > (SELECT max(sent_at) FROM sent) - $2::interval)`,
    [ROWS_MAX, RECENT],
  )
}

interface StreamSeen {
  name: string
  created: string
  last_seq: number
}

/** Stores how a stream looks now and, if it lost events, which rows to send again. */
async function compare(client: Client, seen: StreamSeen, log: Logger): Promise<void> {
  const { name, created, last_seq } = seen
  const { rows } = await client.query<StreamSeen>(
    'SELECT name, created, last_seq FROM relay_streams WHERE name = $1',
    [name],
  )
  const [known] = rows
  if (known?.created === created && known.last_seq === last_seq) return
  const isLost = known && (known.created !== created || known.last_seq > last_seq)
  // First: if the process ends before the new state is stored, the loss is found again.
  if (isLost) await loseStream(client, name, log)
  await client.query(
    `INSERT INTO relay_streams (name, created, last_seq) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET created = $2, last_seq = $3`,
    [name, created, last_seq],
  )
}

/** Has everything sent again to a stream that has lost some events. */
export async function loseStream(client: Client, name: string, log: Logger): Promise<void> {
  log.warn({ stream: name }, 'the bus lost events: sending them again')
  await client.query(
    `UPDATE relay_streams r SET resend_after = o.first - 1, resend_to = o.last
     FROM (SELECT min(seq) AS first, max(seq) AS last FROM outbox) o WHERE r.name = $1`,
    [name],
  )
}

/**
 * NATS 2.9 keeps the position of a consumer even if the stream now ends before it, and the consumer
 * would get none of the next events up to there. The reader of a consumer that is gone creates it
 * again, at the beginning of the stream. `endsAt` is the last sequence that the stream kept; by
 * default its last now.
 */
export async function dropConsumersAhead({ nc }: Bus, name: string, endsAt?: number) {
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const consumers = await jsm.consumers.list(name).next()
  // Asked second, since both grow: a consumer that is ahead of this end was ahead before.
  const end = endsAt ?? (await streamState(nc, name)).lastSeq
  for (const { name: consumer, delivered } of consumers) {
    if (delivered.stream_seq > end) await jsm.consumers.delete(name, consumer)
  }
}

/**
 * Unmarks as many rows as one statement has time for, however many the outbox keeps. The relay
 * publishes a batch after each call, and calls again. Returns whether some may be left.
 */
export async function resendSome(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string; resend_after: number; resend_to: number }>(
    `SELECT name, resend_after, resend_to FROM relay_streams
     WHERE resend_after IS NOT NULL ORDER BY name LIMIT 1`,
  )
  const [lost] = rows
  if (!lost) return false
  const end = Math.min(lost.resend_after + ROWS_MAX, lost.resend_to)
  await client.query(
    `UPDATE outbox SET sent_at = NULL
     WHERE seq > $1 AND seq <= $2 AND subject LIKE $3 AND sent_at IS NOT NULL`,
    [lost.resend_after, end, FILLED.find(({ name }) => name === lost.name)?.like],
  )
  // If this update is lost, the same rows are only published twice.
  await client.query('UPDATE relay_streams SET resend_after = $2 WHERE name = $1', [
    lost.name,
    end < lost.resend_to ? end : null,
  ])
  return true
}

import { jetstreamManager } from '@nats-io/jetstream'
import type { Bus } from '@stoa/shared/bus/bus.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import type { Logger } from '@stoa/shared/logger.js'
import type { Client } from 'pg'

/** Streams that the outbox fills, and the subjects by which its rows are found. */
const FILLED = [
  { name: STREAMS.forum.name, like: 'forum.%' },
  { name: STREAMS.rank.name, like: 'rank.%' },
  { name: STREAMS.scan.name, like: 'scan.%' },
  { name: STREAMS.alerts.name, like: 'alert.%' },
]

/**
 * JetStream acknowledges before it syncs to disk, so a crash of the bus can lose what was
 * acknowledged. A stream that was made anew, or whose last sequence went backwards, gets
 * everything the outbox still keeps (24 hours) once more; consumers do not mind.
 */
export async function resendLost(client: Client, bus: Bus, log: Logger): Promise<void> {
  const jsm = await jetstreamManager(bus.nc)
  for (const { name, like } of FILLED) {
    const info = await jsm.streams.info(name).catch(async () => {
      await ensureStreams(bus.nc)
      return jsm.streams.info(name)
    })
    const created = String(info.created)
    const lastSeq = info.state.last_seq
    const { rows } = await client.query(
      'SELECT created, last_seq FROM relay_streams WHERE name = $1',
      [name],
    )
    const [known] = rows as { created: string; last_seq: number }[]
    if (known && (known.created !== created || lastSeq < known.last_seq)) {
      const { rowCount } = await client.query(
        'UPDATE outbox SET sent_at = NULL WHERE subject LIKE $1 AND sent_at IS NOT NULL',
        [like],
      )
      log.warn({ stream: name, events: rowCount }, 'the bus lost events: sending them again')
    }
    if (known?.created === created && known.last_seq === lastSeq) continue
    await client.query(
      `INSERT INTO relay_streams (name, created, last_seq) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET created = $2, last_seq = $3`,
      [name, created, lastSeq],
    )
  }
}

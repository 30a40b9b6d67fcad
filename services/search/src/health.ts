import type { Bus } from '@stoa/shared/bus/bus.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import { acknowledgedTo, waitingMs } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import type { ServiceHealth } from '@stoa/shared/contracts/health.js'
import type { Gauge } from '@stoa/shared/process/metrics.js'
import { within } from '@stoa/shared/process/within.js'
import { DURABLE } from './building/missed-events.ts'

/** The caller of a health request waits a second. */
const BEHIND_WITHIN_MS = 500
/** New texts are found within a second; on a large forum it takes longer while the index merges. */
const BEHIND_MS_MAX = 60_000

/**
 * Degraded while PostgreSQL answers instead of the index, or events on the bus are not in the index
 * after `behindMsMax`.
 */
export async function health(
  bus: Bus,
  isUp: boolean,
  behindMsMax = BEHIND_MS_MAX,
): Promise<Reply<ServiceHealth>> {
  const asked = isUp ? within(BEHIND_WITHIN_MS, readBehindMs(bus)) : undefined
  const behindMs = (await asked) ?? 0
  return reply({
    object: 'health',
    status: isUp && behindMs <= behindMsMax ? 'ok' : 'degraded',
    parts: { search: isUp ? 'ok' : 'down' },
  })
}

/** The age of the oldest event that is not indexed. Rejects while there is no consumer yet. */
export async function readGauges(bus: Bus): Promise<Gauge[]> {
  return [
    {
      name: 'stoa_unindexed_age_seconds',
      help: 'For how long the oldest event has waited that is not in the index yet.',
      value: (await readBehindMs(bus)) / 1_000,
    },
  ]
}

async function readBehindMs({ nc }: Bus): Promise<number> {
  const position = await acknowledgedTo(nc, STREAMS.forum.name, DURABLE)
  return waitingMs(nc, STREAMS.forum.name, position)
}

import type { Bus } from '@stoa/shared/bus/bus.js'
import { reply } from '@stoa/shared/bus/serve.js'
import { waitingMs } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import type { ServiceHealth } from '@stoa/shared/contracts/health.js'
import type { Gauge } from '@stoa/shared/process/metrics.js'
import { redisStatus } from '@stoa/shared/process/redis.js'
import { within } from '@stoa/shared/process/within.js'
import { type Place, readMarker, readPage } from './hot-store.ts'

export interface HealthDeps extends Place {
  bus: Pick<Bus, 'nc'>
}

/** The caller of a health request waits a second. */
const BEHIND_WITHIN_MS = 500
/** An event is applied in milliseconds; a worker that was killed is replaced after `LEASE_MS`. */
const BEHIND_MS_MAX = 10_000

/**
 * Degraded while the hot order comes from PostgreSQL, because Redis is away or refuses writes or
 * nothing has been built, and while events on the bus are not in it after BEHIND_MS_MAX.
 */
export async function onHealth(deps: HealthDeps) {
  const { redis, keys } = deps
  const [cache, isServed, behindMs] = await Promise.all([
    redisStatus(redis, keys.probe),
    readPage(deps, undefined, 1, undefined).then(Boolean, () => false),
    readBehindMs(deps),
  ])
  const isWell = cache === 'ok' && isServed && behindMs <= BEHIND_MS_MAX
  return reply<ServiceHealth>({
    object: 'health',
    status: isWell ? 'ok' : 'degraded',
    parts: { cache },
  })
}

/** How long the oldest event has waited to be applied; 0 if nobody can say in time. */
async function readBehindMs({ redis, keys, bus }: HealthDeps): Promise<number> {
  const asking = async () => {
    const marker = await readMarker({ redis, keys })
    return marker ? waitingMs(bus.nc, STREAMS.rank.name, marker.position) : 0
  }
  return (await within(BEHIND_WITHIN_MS, asking())) ?? 0
}

export async function readGauges(deps: HealthDeps): Promise<Gauge[]> {
  const [status, behindMs] = await Promise.all([
    redisStatus(deps.redis, deps.keys.probe),
    readBehindMs(deps),
  ])
  return [
    {
      name: 'stoa_redis_takes_writes',
      help: 'Whether Redis takes what is written: 0 where it is full, reads only, or is away.',
      value: status === 'ok' ? 1 : 0,
    },
    {
      name: 'stoa_unranked_age_seconds',
      help: 'For how long the oldest event has waited that is not in the hot order yet.',
      value: behindMs / 1_000,
    },
  ]
}

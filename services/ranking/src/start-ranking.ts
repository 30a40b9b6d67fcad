import { connectBus } from '@stoa/shared/bus/bus.js'
import { answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { ensureStreams } from '@stoa/shared/bus/streams.js'
import { listHot } from '@stoa/shared/contracts/feed.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { rebuildRanking } from '@stoa/shared/contracts/rebuild.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { hotSettings } from '@stoa/shared/hot-order/hot-config.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { serveMetrics } from '@stoa/shared/process/metrics.js'
import { openRedis } from '@stoa/shared/process/redis.js'
import { closing, type Running } from '@stoa/shared/process/service.js'
import { Redis } from 'ioredis'
import { createAnnouncer } from './announcer.ts'
import type { RankingConfig } from './config.ts'
import { type HealthDeps, onHealth, readGauges } from './health.ts'
import type { HotStore, Place } from './hot-store.ts'
import { keysOf } from './keys.ts'
import { onListHot } from './list-hot.ts'
import { readRebuildState, requestRebuild } from './rebuild-state.ts'
import { Worker } from './worker.ts'

/** Queries give up before their caller does; the worker may wait for a busy Redis. */
const QUERY_PATIENCE = { commandTimeoutMs: 400, silenceMsMax: 800 }
const WORK_PATIENCE = { commandTimeoutMs: 5_000, silenceMsMax: 10_000 }

/** Starts ranking: every replica answers, and one of them does the work. */
export async function startRanking(config: RankingConfig, log: Logger): Promise<Running> {
  const bus = await connectBus('ranking', config.NATS_URL, log)
  await ensureStreams(bus.nc)
  const queries = openRedis(Redis, config.REDIS_URL, QUERY_PATIENCE, log)
  const work = openRedis(Redis, config.REDIS_URL, WORK_PATIENCE, log)
  const keys = keysOf(config.REDIS_PREFIX)
  const store: HotStore = {
    redis: work,
    keys,
    limits: { globalMax: config.HOT_GLOBAL_MAX, communityMax: config.HOT_COMMUNITY_MAX },
    hot: hotSettings(config),
  }
  const announcer = createAnnouncer(bus)
  const worker = new Worker({ bus, store, log, announcer, leaseMs: config.LEASE_MS })
  const deps = { redis: queries, keys, bus, worker }
  const gauges = [() => readGauges(deps)]
  const metrics = await serveMetrics(config.METRICS_LISTEN, { breakers: [], gauges }, log)
  const serving = await serve(bus, deps, ANSWERS, log)
  const disconnect = () => {
    work.disconnect()
    queries.disconnect()
  }
  return closing(
    { bus: bus.cut, stores: disconnect },
    disconnect,
    () => bus.close(),
    () => announcer.close(),
    () => worker.close(),
    () => metrics?.close(),
    () => serving.stop(),
  )
}

const ANSWERS = [
  answer(listHot, onListHot),
  answer(rebuildRanking, onRebuildRanking),
  answer<HealthDeps, typeof serviceHealth.ranking>(serviceHealth.ranking, onHealth),
]

async function onRebuildRanking(place: Place, { start }: { start: boolean }) {
  try {
    if (start) await requestRebuild(place)
    return reply(await readRebuildState(place))
  } catch (error) {
    throw new AppError('unavailable', { retry_after_seconds: 1 }, { cause: error })
  }
}

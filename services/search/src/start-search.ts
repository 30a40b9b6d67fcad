import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { consume } from '@stoa/shared/bus/consume.js'
import { answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import { forumEvent } from '@stoa/shared/contracts/events.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { type RebuildState, rebuildSearch } from '@stoa/shared/contracts/rebuild.js'
import { findHits } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { serveMetrics } from '@stoa/shared/process/metrics.js'
import { closing, type Running } from '@stoa/shared/process/service.js'
import { answerHits } from './asking/answer-hits.ts'
import { type AskIndex, createAskIndex } from './asking/ask-index.ts'
import { Builder } from './building/builder.ts'
import { DURABLE } from './building/missed-events.ts'
import type { SearchConfig } from './config.ts'
import { health, readGauges } from './health.ts'
import { ForumIndex } from './indexing/forum-index.ts'
import { onForumEvents } from './indexing/on-forum-events.ts'
import { Recent } from './indexing/recent.ts'
import { connectMeili } from './meilisearch/meili.ts'

const BATCH_MAX = 500
/** A task of Meilisearch costs 60 ms and 0.5 ms for each post; texts must be found in a second. */
const BATCH_EVERY_MS = 450

/** Starts search, or without Meilisearch only the answers that make content use PostgreSQL. */
export async function startSearch(config: SearchConfig, log: Logger): Promise<Running> {
  const bus = await connectBus('search', config.NATS_URL, log)
  if (config.MEILI_URL === undefined) {
    log.warn('MEILI_URL is not set: PostgreSQL answers every search')
    const serving = await serve(bus, { bus }, WITHOUT_INDEX, log)
    const metrics = await serveMetrics(config.METRICS_LISTEN, { breakers: [] }, log)
    return closing(
      { bus: bus.cut },
      () => bus.close(),
      serving.stop,
      () => metrics?.close(),
    )
  }
  await ensureStreams(bus.nc)
  const meili = connectMeili(config.MEILI_URL, config.MEILI_KEY)
  const index = new ForumIndex(meili, config.INDEX_PREFIX)
  const recent = new Recent(
    { bus, index },
    { from: config.INDEX_RECENT_FROM, max: config.INDEX_RECENT_MAX },
    log,
  )
  const builder = new Builder({ bus, index }, log)
  const onMissing = () => builder.look()
  const atOnce = config.SEARCHES_AT_ONCE
  const { askIndex, breaker, close } = createAskIndex(index, log, onMissing, atOnce)
  const measured = { breakers: [breaker], gauges: [() => readGauges(bus)] }
  const metrics = await serveMetrics(config.METRICS_LISTEN, measured, log)
  const serving = await serve(bus, { bus, askIndex, builder }, ANSWERS, log)
  const consuming = await consume({
    bus,
    log,
    stream: STREAMS.forum.name,
    durable: DURABLE,
    filter: forumEvent.subject,
    event: forumEvent,
    batchMax: BATCH_MAX,
    batchEveryMs: BATCH_EVERY_MS,
    handle: (events) => onForumEvents({ bus, index }, events),
  })
  return closing(
    { bus: bus.cut, stores: meili.close },
    () => meili.close(),
    () => bus.close(),
    close,
    () => metrics?.close(),
    () => builder.close(),
    () => recent.close(),
    () => consuming.stop(),
    () => serving.stop(),
  )
}

interface Deps {
  bus: Bus
  askIndex: AskIndex
  builder: Builder
}

const ANSWERS = [
  answer(findHits, ({ askIndex }: Deps, input) => answerHits(askIndex, input)),
  answer(rebuildSearch, async ({ builder }: Deps, { start }) => {
    if (start) await builder.start()
    return reply(await builder.state())
  }),
  answer(serviceHealth.search, async ({ bus, builder }: Deps) => health(bus, builder.isUp)),
]

const NO_INDEX: RebuildState = {
  object: 'rebuild',
  state: 'absent',
  done: 0,
  total: 0,
  generation: null,
}

const WITHOUT_INDEX = [
  answer(findHits, unavailable),
  answer(rebuildSearch, async () => reply(NO_INDEX)),
  answer(serviceHealth.search, ({ bus }: Pick<Deps, 'bus'>) => health(bus, false)),
]

async function unavailable(): Promise<never> {
  throw new AppError('unavailable')
}

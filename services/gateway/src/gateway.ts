import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, BlockList } from 'node:net'
import { parseAnswer } from '@stoa/shared/bus/ask.js'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { findKey } from '@stoa/shared/contracts/agents.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { uuidV7 } from '@stoa/shared/identifiers/ids.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { type Count, serveMetrics } from '@stoa/shared/process/metrics.js'
import { redisStatus } from '@stoa/shared/process/redis.js'
import { closing, type Running } from '@stoa/shared/process/service.js'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { KeyCache } from './auth/key-cache.ts'
import { followChanges } from './cache/follow-changes.ts'
import { PostTexts } from './cache/post-texts.ts'
import { ResponseCache } from './cache/response-cache.ts'
import { SitemapEnds } from './cache/sitemap-ends.ts'
import { UrlIndex } from './cache/url-index.ts'
import { readHealthGauges } from './composition/read-health.ts'
import type { Config } from './config.ts'
import type { Core } from './core.ts'
import { createAsk } from './downstream/ask.ts'
import { createBreakers } from './downstream/breakers.ts'
import { connectRedis } from './downstream/redis.ts'
import { createReplicas } from './downstream/replicas.ts'
import { openExchange } from './http/exchange.ts'
import { createRequestsAtOnce } from './http/requests-at-once.ts'
import { listen, openServer, stopServing } from './http/server.ts'
import { addressReader } from './limits/address-reader.ts'
import { addressHasher, trustedProxies } from './limits/client-address.ts'
import { boundConnections } from './limits/connections.ts'
import { createLimiter } from './limits/limiter.ts'
import { consoleResources } from './moderation/console.ts'
import { onboardingResources } from './onboarding/resources.ts'
import { pageRoutes } from './page-routes/index.ts'
import { routes } from './routes/index.ts'
import { answering } from './serving/answer.ts'
import { AnswerCounts } from './serving/answer-counts.ts'
import { createApi } from './serving/api.ts'
import { createApp, type Resource } from './serving/app.ts'
import { createFront } from './serving/front.ts'
import { refuseBadConnection, refuseConnection } from './serving/refuse-bad-connection.ts'
import { respondError } from './serving/respond-error.ts'
import { pageResource } from './serving/serve-page.ts'
import { createStreams } from './stream/streams.ts'

/** How long the cache serves an entry without asking again; removals are announced as well. */
const FRESH_MS = 1_000
/** How long cached lists may lack what others published, so that readers need not wait for it. */
const GRACE_MS = 20
/** A load that began before a write may take a second, and its answer is then kept for another. */
const RECENT_WRITE_MS = 2 * FRESH_MS
const RECENT_WRITERS_MAX = 20_000
/** The share of the cache for texts of posts: about two thousand texts of the usual length. */
const TEXTS_SHARE = 1 / 4
/** The key that the health check writes, to learn whether Redis accepts writes. */
const REDIS_PROBE = 'health:gateway'

/** Starts one gateway and logs the port it listens on. */
export async function startGateway(config: Config, log: Logger): Promise<Running> {
  if (config.RATE_LIMITS === 'off') log.warn('rate limits are off')
  const bus = await connectBus('gateway', config.NATS_URL, log)
  const redis = await connectRedis(config.REDIS_URL, config.REDIS_PREFIX, log)
  const core = createCore(config, log, bus, redis)
  followChanges(core)
  const measured = {
    breakers: core.breakers.all,
    gauges: [() => readHealthGauges(core)],
    counts: () => [...core.answers.counts(), askedAgain(bus)],
  }
  const metrics = await serveMetrics(config.METRICS_LISTEN, measured, log)
  const trusted = trustedProxies(config.TRUSTED_PROXIES)
  const listener = listenerFor(core, redis, trusted)
  const server = openServer(listener, (error, socket) => refuseBadConnection(core, error, socket))
  if (config.RATE_LIMITS === 'on') {
    const max = config.CONNECTIONS_PER_ADDRESS_MAX
    boundConnections(server, trusted, max, (error, socket) => refuseConnection(core, error, socket))
  }
  await listen(server, config)
  const { port } = server.address() as AddressInfo
  log.info({ port }, 'listening')
  return closing(
    { bus: bus.cut },
    () => bus.close(),
    () => redis.disconnect(),
    () => core.breakers.close(),
    () => metrics?.close(),
    () => stopServing(server),
    () => core.streams.close(),
  )
}

function createCore(config: Config, log: Logger, bus: Bus, redis: Redis): Core {
  const breakers = createBreakers(log)
  const ask = createAsk(bus, breakers)
  const isLimited = config.RATE_LIMITS === 'on'
  /** With limits off, as in tests and benches, one address may do as much at once as it likes. */
  const fromAddress = (max: number) => (isLimited ? max : Number.POSITIVE_INFINITY)
  const textBytesMax = Math.floor(config.CACHE_BYTES_MAX * TEXTS_SHARE)
  return {
    config,
    log,
    bus,
    ask,
    breakers,
    replicas: createReplicas(bus, log),
    limiter: createLimiter(
      { isOn: isLimited, rates: config.rates, replicas: config.REPLICAS },
      redis,
      breakers,
    ),
    atOnce: createRequestsAtOnce(fromAddress(config.REQUESTS_PER_ADDRESS_MAX)),
    keys: new KeyCache(async ({ publicId, hash }) => {
      const meta = { requestId: uuidV7(), remainingMs: findKey.timeoutMs, isSafe: true }
      const input = { public_id: publicId, hash_hex: hash?.toString('hex') }
      return parseAnswer(await ask(findKey, input, meta)).key
    }),
    cache: new ResponseCache({
      bytesMax: config.CACHE_BYTES_MAX - textBytesMax,
      freshMs: FRESH_MS,
      graceMs: GRACE_MS,
      staleIfErrorMs: config.STALE_IF_ERROR_MS,
    }),
    texts: new PostTexts(ask, textBytesMax),
    sitemapEnds: new SitemapEnds(ask),
    urls: new UrlIndex(),
    recentWriters: new LRUCache({ max: RECENT_WRITERS_MAX, ttl: RECENT_WRITE_MS }),
    streams: createStreams({
      max: config.STREAMS_MAX,
      perAddressMax: fromAddress(config.STREAMS_PER_ADDRESS_MAX),
    }),
    answers: new AnswerCounts(),
    redisStatus: () => redisStatus(redis, REDIS_PROBE),
    hashAddress: addressHasher(config.LOG_HASH_KEY),
  }
}

function askedAgain(bus: Bus): Count {
  return {
    name: 'stoa_asked_again_total',
    help: 'Questions for reads that were asked again, since nobody had answered them.',
    type: 'counter',
    values: [['', bus.askedAgain()]],
  }
}

function listenerFor(core: Core, redis: Redis, trusted: BlockList) {
  const addressOf = addressReader(trusted, core.log)
  const open = (req: IncomingMessage, res: ServerResponse) => openExchange(req, res, addressOf(req))
  const app = createApp(core, resourcesOf(core, redis), open)
  const front = createFront(core, addressOf, createApi(core, routes, open), app)
  return answering(core, (req, res) => {
    if (lacksHost(req)) respondError(core, open(req, res), new AppError('bad_request'))
    else front(req, res)
  })
}

/**
 * HTTP/1.1 demands a 400 for a request without Host (RFC 9112, 3.2). It demands one for several
 * Host headers too, but no answer depends on their values, and counting them would be work for
 * every request.
 */
function lacksHost({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersionMinor > 0
}

function resourcesOf(core: Core, redis: Redis): Resource[] {
  return [
    ...onboardingResources(core, routes),
    ...pageRoutes.map((route) => pageResource(core, route)),
    ...consoleResources(core, redis),
  ]
}

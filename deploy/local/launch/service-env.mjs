/** The five services in the order they are started; they are stopped the other way round. */
export const SERVICES = /** @type {const} */ ([
  'content',
  'scanner',
  'search',
  'ranking',
  'gateway',
])

/** @typedef {(typeof SERVICES)[number]} ServiceName */

/**
 * Two heaps of the C library, because each heap keeps the free memory between blocks in use, and a
 * V8 nursery of half the usual size, because V8 keeps all of it; a smaller nursery costs processor
 * time. The images set the same.
 */
const LEAN = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=8' }

/**
 * Gives large blocks back to the system once they are free. By default the C library raises its
 * threshold after the first such block and puts ever larger blocks among the small ones, so that
 * search would keep the holes that a rebuild leaves.
 */
const LARGE_BLOCKS_BACK = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576' }

/**
 * The environment of one service: the launcher's own, plus the addresses of the servers. A service
 * learns only the addresses it needs, each with its own login.
 *
 * @param {ServiceName} name
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./data-servers.mjs').Addresses} addresses
 * @param {import('./secrets.mjs').Secrets} secrets
 * @returns {NodeJS.ProcessEnv}
 */
export function serviceEnv(name, settings, addresses, secrets) {
  const { DATABASE_URL, REDIS_URL, MEILI_URL, MEILI_KEY, ...given } = process.env
  const metrics = metricsAddresses(given.METRICS_LISTEN)
  const redis = { REDIS_URL: addresses.redisUrl }
  const own = {
    gateway: {
      ...redis,
      HOST: settings.host,
      PORT: `${settings.port}`,
      LOG_HASH_KEY: given.LOG_HASH_KEY || secrets.logHashKey,
      METRICS_LISTEN: metrics.gateway,
    },
    content: { DATABASE_URL: addresses.databaseUrl, METRICS_LISTEN: metrics.content },
    scanner: { METRICS_LISTEN: metrics.scanner },
    search: {
      ...LARGE_BLOCKS_BACK,
      METRICS_LISTEN: metrics.search,
      ...(addresses.meiliUrl
        ? { MEILI_URL: addresses.meiliUrl, MEILI_KEY: addresses.meiliKey ?? '' }
        : {}),
    },
    ranking: { ...redis, METRICS_LISTEN: metrics.ranking },
  }
  return {
    ...LEAN,
    ...given,
    NODE_ENV: 'production',
    LOG_LEVEL: given.LOG_LEVEL ?? 'info',
    BASE_URL: settings.baseUrl,
    NATS_URL: addresses.natsUrl(name),
    ...own[name],
  }
}

/**
 * Gives each service on one machine its own port for metrics: the gateway gets the given port, and
 * the other services get the ports after it.
 *
 * @param {string} [listen] as `host:port`
 * @returns {Record<ServiceName, string>}
 */
export function metricsAddresses(listen = '') {
  const [, host, port] = /^(.*):(\d+)$/.exec(listen) ?? []
  // An address without a port is passed on unchanged, for the services to refuse.
  const address = (/** @type {number} */ nth) =>
    port === undefined ? listen : `${host}:${Number(port) + nth}`
  return {
    gateway: address(0),
    content: address(1),
    search: address(2),
    ranking: address(3),
    scanner: address(4),
  }
}

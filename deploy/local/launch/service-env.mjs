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
 * Few heaps of the C library, since each keeps what lies between two blocks in use, and a nursery
 * of half the usual size, since V8 keeps it whole; a smaller one costs processor time. The images
 * set the same.
 */
const LEAN = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=8' }

/**
 * Large blocks are given back once they are free. Otherwise the C library keeps ever larger ones
 * among its small ones after the first, and search keeps the holes of a rebuild.
 */
const LARGE_BLOCKS_BACK = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576' }

/**
 * The environment of one service: what the launcher was given, plus where things are. A service
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
 * Services of one machine need a port each for their metrics: the gateway has the one that was
 * given, and the others those behind it.
 *
 * @param {string} [listen] as `host:port`
 * @returns {Record<ServiceName, string>}
 */
export function metricsAddresses(listen = '') {
  const [, host, port] = /^(.*):(\d+)$/.exec(listen) ?? []
  // What is not one is left for the services to refuse.
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

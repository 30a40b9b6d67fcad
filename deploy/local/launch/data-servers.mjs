import { join } from 'node:path'
import { withoutLogins } from '../../../packages/shared/src/process/without-logins.mjs'
import { supervise } from '../processes/supervise.mjs'
import { meiliBinary } from '../servers/binaries.mjs'
import { probeMeili, probeNats, probePostgres, probeRedis } from '../servers/probe.mjs'
import { startMeili, startNats, startPostgres, startRedis } from '../servers/servers.mjs'
import { withBusLogin } from './bus-login.mjs'

/**
 * @typedef {object} Addresses
 * @property {string} databaseUrl
 * @property {string} redisUrl
 * @property {string | undefined} meiliUrl undefined if there is no Meilisearch
 * @property {string | undefined} meiliKey
 * @property {(user: string) => string} natsUrl the address with that user's login
 */

/**
 * @typedef {object} Context
 * @property {string} dir the data folder
 * @property {import('./secrets.mjs').Secrets} secrets
 * @property {NodeJS.ProcessEnv} env
 * @property {(line: string) => void} say
 * @property {import('../processes/supervise.mjs').Supervised[]} started gets each private server
 *   once it runs
 */

/**
 * Makes the four data servers available: uses the server that its URL variable names, or else
 * starts a private one.
 *
 * @param {Context} context
 * @returns {Promise<Addresses>}
 * @throws {Error} one sentence naming the server and the variable
 */
export async function provideDataServers(context) {
  const providing = [postgres, redis, nats, meili].map((provide) => provide(context))
  // Wait until every start has settled, so that no server starts after the caller has cleaned up.
  await Promise.allSettled(providing)
  return Object.assign({}, ...(await Promise.all(providing)))
}

/** @param {Context} context */
async function postgres(context) {
  const url = context.env.DATABASE_URL
  if (url) {
    await insist('PostgreSQL', 'DATABASE_URL', () => probePostgres(url))
    return { databaseUrl: url }
  }
  const server = await keepRunning(context, 'PostgreSQL', (place) =>
    startPostgres({ ...place, database: 'stoa' }),
  )
  return { databaseUrl: server.url }
}

/** @param {Context} context */
async function redis(context) {
  const url = context.env.REDIS_URL
  if (url) {
    await insist('Redis', 'REDIS_URL', () => probeRedis(url))
    return { redisUrl: url }
  }
  const server = await keepRunning(context, 'Redis', startRedis)
  return { redisUrl: server.url }
}

/** @param {Context} context */
async function nats(context) {
  const { env, secrets } = context
  const url = env.NATS_URL
  if (url) {
    await insist('NATS', 'NATS_URL', () => probeNats(withBusLogin(url, 'gateway', env)))
    return { natsUrl: (/** @type {string} */ user) => withBusLogin(url, user, env) }
  }
  const server = await keepRunning(context, 'NATS', (place) =>
    startNats({ ...place, passwords: secrets.nats }),
  )
  return { natsUrl: server.urlFor }
}

/** @param {Context} context */
async function meili(context) {
  const { env, secrets, say } = context
  const url = env.MEILI_URL
  if (url) {
    await insist('Meilisearch', 'MEILI_URL', () => probeMeili(url, env.MEILI_KEY))
    return { meiliUrl: url, meiliKey: env.MEILI_KEY }
  }
  if (!(await meiliBinary())) {
    say('There is no Meilisearch for this machine: PostgreSQL answers searches, less well.')
    say('For the full search install meilisearch, or set MEILI_URL.')
    return {}
  }
  const masterKey = secrets.meiliMasterKey
  const server = await keepRunning(context, 'Meilisearch', (place) =>
    startMeili({ ...place, masterKey }),
  )
  return { meiliUrl: server.url, meiliKey: masterKey }
}

/**
 * Starts a private server and keeps it running. The port is chosen by the first start and kept
 * by later ones, so that a server that crashed comes back where its clients look for it.
 *
 * @template {import('../servers/servers.mjs').Server} S
 * @param {Context} context
 * @param {string} name
 * @param {(place: { dir: string, logFile: string, port: number | undefined }) => Promise<S>} start
 * @returns {Promise<S>} the first one started
 */
async function keepRunning({ dir, say, started }, name, start) {
  const folder = name.toLowerCase()
  const logFile = join(dir, 'logs', `${folder}.log`)
  /** @type {S | undefined} */
  let first
  const supervised = await supervise({
    name,
    say,
    log: logFile,
    start: async () => {
      const server = await start({ dir: join(dir, folder), logFile, port: first?.port })
      first ??= server
      return server
    },
  })
  started.push(supervised)
  return /** @type {S} */ (/** @type {unknown} */ (first))
}

/**
 * @param {string} name
 * @param {string} variable
 * @param {() => Promise<void>} probe
 */
async function insist(name, variable, probe) {
  try {
    await probe()
  } catch (error) {
    const reason = error instanceof Error ? error.message || codeOf(error) : String(error)
    throw new Error(
      `${variable} does not lead to a usable ${name} (${withoutLogins(reason)}): correct it, or unset it to get a private server.`,
    )
  }
}

/** @param {Error & { code?: string }} error */
function codeOf(error) {
  return error.code ?? error.name
}

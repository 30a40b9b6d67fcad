import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { untilHealthy } from '../../deploy/local/launch/readiness.mjs'
import { keptSecrets } from '../../deploy/local/launch/secrets.mjs'
import { SERVICES, serviceEnv } from '../../deploy/local/launch/service-env.mjs'
import { serviceProgram } from '../../deploy/local/launch/service-program.mjs'
import { childEnv, ROOT } from '../../deploy/local/paths.mjs'
import { launch } from '../../deploy/local/processes/child.mjs'
import { freePort } from '../../deploy/local/processes/free-port.mjs'
import { run } from '../../deploy/local/processes/run.mjs'
import { makeRunFolder, removeRunFolder } from '../../deploy/local/processes/run-folder.mjs'
import { newPassword } from '../../deploy/local/servers/password.mjs'
import { tail } from '../../deploy/local/servers/server.mjs'
import {
  startMeili,
  startNats,
  startPostgres,
  startRedis,
} from '../../deploy/local/servers/servers.mjs'

/** @typedef {import('../../deploy/local/processes/child.mjs').Child} Child */

/**
 * A whole forum of the bench's own: real servers and the five services as processes, on free
 * loopback ports, with its data in a temporary folder.
 *
 * @typedef {object} Installation
 * @property {string} folder
 * @property {string} url the gateway's
 * @property {string} databaseUrl
 * @property {string} superuserUrl of PostgreSQL
 * @property {string} natsUrl the operator's
 * @property {string} redisUrl
 * @property {string} meiliUrl
 * @property {string} meiliKey
 * @property {Map<string, number>} pids process ids by name, servers and services alike
 * @property {() => Promise<void>} stopServices leaves the servers and the folder
 * @property {() => Promise<void>} stop ends everything and deletes the folder
 */

/**
 * @param {object} options
 * @param {AbortSignal} options.signal ends the start
 * @param {string[]} [options.profiled] services to run under the CPU profiler; each writes its
 *   profile to `profile-<name>` in the folder when it stops
 * @returns {Promise<Installation>}
 * @throws {Error} when something does not start
 */
export async function startInstallation({ signal, profiled = [] }) {
  const folder = await makeRunFolder('bench')
  mkdirSync(join(folder, 'logs'))
  /** @type {{ name: string, child: Pick<Child, 'pid' | 'stop'> }[]} */
  const started = []
  const stopServices = async () => {
    // In the reverse order of their start: the gateway first.
    const services = started.filter(({ name }) => isService(name))
    for (const { child } of services.toReversed()) await child.stop()
  }
  const stop = async () => {
    await stopServices()
    await Promise.all(started.map(({ child }) => child.stop()))
    removeRunFolder(folder)
  }
  try {
    const addresses = await startServers(folder, started)
    signal.throwIfAborted()
    await migrate(addresses.databaseUrl)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    startServices({ folder, addresses, port, url, profiled }, started)
    await insistOnHealth(url, join(folder, 'logs'), signal)
    const pids = new Map(started.map(({ name, child }) => [name, child.pid]))
    return {
      folder,
      url,
      pids,
      stop,
      stopServices,
      databaseUrl: addresses.databaseUrl,
      superuserUrl: addresses.superuserUrl,
      natsUrl: addresses.natsUrl('operator'),
      redisUrl: addresses.redisUrl,
      meiliUrl: addresses.meiliUrl,
      meiliKey: addresses.meiliKey,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * @param {string} folder
 * @param {{ name: string, child: Pick<Child, 'pid' | 'stop'> }[]} started
 */
async function startServers(folder, started) {
  const secrets = keptSecrets(folder)
  const masterKey = newPassword()
  /** @template {Pick<Child, 'pid' | 'stop'>} S */
  const keep = async (/** @type {string} */ name, /** @type {Promise<S>} */ starting) => {
    const server = await starting
    started.push({ name, child: server })
    return server
  }
  const dir = (/** @type {string} */ name) => ({ dir: join(folder, name) })
  const starting = /** @type {const} */ ([
    keep('postgres', startPostgres({ ...dir('postgres'), database: 'stoa' })),
    keep('redis', startRedis(dir('redis'))),
    keep('nats', startNats({ ...dir('nats'), passwords: secrets.nats })),
    keep('meilisearch', startMeili({ ...dir('meilisearch'), masterKey })),
  ])
  // Wait until every start has settled, so that no server starts after the others were stopped.
  await Promise.allSettled(starting)
  const [postgres, redis, nats, meili] = await Promise.all(starting)
  return {
    databaseUrl: postgres.url,
    superuserUrl: postgres.superuserUrl,
    redisUrl: redis.url,
    natsUrl: nats.urlFor,
    meiliUrl: meili.url,
    meiliKey: masterKey,
    secrets,
  }
}

/** @param {string} name */
function isService(name) {
  return SERVICES.some((service) => service === name)
}

/** @param {string} databaseUrl */
async function migrate(databaseUrl) {
  const { code, output } = await run({
    command: process.execPath,
    args: [join(ROOT, 'services/content/dist/cli/migrate.js')],
    env: childEnv({ DATABASE_URL: databaseUrl }),
  })
  if (code !== 0) throw new Error(`The database could not be migrated:\n${output.trim()}`)
}

/**
 * @param {{ folder: string, addresses: Awaited<ReturnType<typeof startServers>>, port: number,
 *   url: string, profiled: string[] }} options
 * @param {{ name: string, child: Pick<Child, 'pid' | 'stop'> }[]} started
 */
function startServices({ folder, addresses, port, url, profiled }, started) {
  const settings = { host: '127.0.0.1', port, url, baseUrl: url, rateLimitsOff: true }
  for (const name of SERVICES) {
    const into = join(folder, `profile-${name}`)
    const profiling = ['--cpu-prof', '--cpu-prof-interval', '500', '--cpu-prof-dir', into]
    const program = serviceProgram(name, {
      nodeArgs: profiled.includes(name) ? profiling : [],
      env: {
        ...serviceEnv(name, settings, addresses, addresses.secrets),
        RATE_LIMITS: 'off',
        // Ranking and search log how long a rebuild took, and little else.
        LOG_LEVEL: name === 'ranking' || name === 'search' ? 'info' : 'warn',
      },
      logFile: join(folder, 'logs', `${name}.log`),
    })
    const child = launch(program)
    started.push({ name, child })
  }
}

/**
 * @param {string} url
 * @param {string} logs
 * @param {AbortSignal} signal
 */
async function insistOnHealth(url, logs, signal) {
  const how = { url, searchMayBeDegraded: false, services: [], signal }
  const problem = await untilHealthy(how).catch((error) => String(error))
  signal.throwIfAborted()
  if (problem === '') return
  const ends = SERVICES.map((name) => `${name}:\n${tail(join(logs, `${name}.log`))}`)
  throw new Error(`The bench's forum is not healthy: ${problem}\n${ends.join('\n')}`)
}

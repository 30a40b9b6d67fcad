/**
 * `npm start`: the whole forum on this machine, from a fresh clone.
 *
 * 1. take charge of the data folder, stopping the programs that a killed launcher left; 2. install;
 * 3. get the data servers running and build; 4. migrate; 5. start the five services and keep them
 * running; 6. wait until the health page says all is well, or until the time is up, and say
 * `ready`. A signal stops everything: the gateway first, the data servers last.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from '../../packages/shared/src/process/command-line.mjs'
import { makeDataFolder } from './launch/data-folder.mjs'
import { provideDataServers } from './launch/data-servers.mjs'
import { install } from './launch/install.mjs'
import { rotateLogs } from './launch/log-rotation.mjs'
import { CrashLoop, untilHealthy } from './launch/readiness.mjs'
import { describeRunning, PROCESSES, removeRunning, writeRunning } from './launch/running.mjs'
import { keptSecrets } from './launch/secrets.mjs'
import { SERVICES, serviceEnv } from './launch/service-env.mjs'
import { serviceProgram } from './launch/service-program.mjs'
import { readSettings } from './launch/settings.mjs'
import { whyEnded } from './launch/why-ended.mjs'
import { childEnv, DATA_DIR, ROOT } from './paths.mjs'
import { launch } from './processes/child.mjs'
import { insistOnPort } from './processes/free-port.mjs'
import {
  leaveCharge,
  otherInCharge,
  stopLeftovers,
  takeCharge,
} from './processes/process-record.mjs'
import { run } from './processes/run.mjs'
import { stopOnSignals, untilAborted } from './processes/stop-request.mjs'
import { supervise } from './processes/supervise.mjs'

readCommandLine(
  'usage: npm start   (docs/SETTINGS.md lists the environment variables that it reads)',
  {},
)

const LOGS = join(DATA_DIR, 'logs')
/**
 * Building an index on a large table takes long, and a build that is cut short begins again at the
 * next start.
 */
const MIGRATED_WITHIN_MS = 6 * 3_600_000
const startedAt = performance.now()
let inCharge = false

/** @typedef {import('./processes/supervise.mjs').Supervised} Supervised */
/** @type {Supervised[]} */
const dataServers = []
/** @type {Supervised[]} */
const services = []

const stopRequest = stopOnSignals()
process.exitCode = await main()

async function main() {
  let code = 1
  try {
    const settings = readSettings(process.env)
    await takeDataFolder(settings)
    await start(settings)
    code = 0
    await untilAborted(stopRequest)
  } catch (error) {
    explain(error)
  } finally {
    await stopEverything()
  }
  return code
}

/** @param {import('./launch/settings.mjs').Settings} settings */
async function takeDataFolder({ host, port }) {
  makeDataFolder(DATA_DIR)
  mkdirSync(LOGS, { recursive: true, mode: 0o700 })
  const other = otherInCharge(PROCESSES)
  if (other) {
    const running = `The forum, or its database, already runs from this data folder (process ${other})`
    throw new Error(`${running}: stop it, or set another DATA_DIR and PORT for a second forum.`)
  }
  takeCharge(PROCESSES)
  inCharge = true
  // A launcher that was killed has left the file that says where its servers were.
  removeRunning()
  const left = await stopLeftovers(PROCESSES)
  if (left > 0) say(`Stopped ${left} programs that an earlier start had left running.`)
  await insistOnPort(port, host)
}

/** @param {import('./launch/settings.mjs').Settings} settings */
async function start(settings) {
  if (settings.rateLimitsOff) say('WARNING: RATE_LIMITS=off, anyone may write without limit.')
  await install({ signal: stopRequest })

  const secrets = keptSecrets(DATA_DIR)
  say('Starting the data servers, and building ...')
  const context = { dir: DATA_DIR, secrets, env: process.env, say, started: dataServers }
  const providing = provideDataServers(context)
  const building = build()
  // Wait until both have settled, so that nothing starts after the launcher has stopped everything.
  await Promise.allSettled([providing, building])
  const [addresses] = await Promise.all([providing, building])
  stopRequest.throwIfAborted()

  say('Migrating the database ...')
  await step('The database could not be migrated', {
    timeoutMs: MIGRATED_WITHIN_MS,
    command: process.execPath,
    args: [join(ROOT, 'services/content/dist/cli/migrate.js')],
    env: childEnv({ DATABASE_URL: addresses.databaseUrl }),
  })

  say('Starting the five services ...')
  const rotation = rotateLogs(LOGS)
  stopRequest.addEventListener('abort', rotation)
  const environments = SERVICES.map((name) => serviceEnv(name, settings, addresses, secrets))
  for (const [index, name] of SERVICES.entries()) {
    services.push(await startService(name, environments[index] ?? {}))
  }
  const searchMayBeDegraded = addresses.meiliUrl === undefined
  const signal = stopRequest
  const degraded = await untilHealthy({ url: settings.url, searchMayBeDegraded, services, signal })
  writeRunning(describeRunning(settings, addresses, services))
  announce(settings)
  if (degraded) say(`Some parts do not work well yet: ${degraded}.`)
}

function build() {
  return step('The build failed', {
    command: join(ROOT, 'node_modules', '.bin', 'tsc'),
    args: ['-b'],
    env: childEnv(),
  })
}

/**
 * Runs one bounded step of the start to its end.
 *
 * @param {string} problem
 * @param {import('./processes/run.mjs').RunOptions} options
 */
async function step(problem, options) {
  const { code, output } = await run({ cwd: ROOT, signal: stopRequest, ...options })
  stopRequest.throwIfAborted()
  if (code !== 0) throw new Error(`${problem}:\n${output.trim()}`)
}

/**
 * @param {import('./launch/service-env.mjs').ServiceName} name
 * @param {NodeJS.ProcessEnv} env
 */
function startService(name, env) {
  const log = logOf(name)
  const program = serviceProgram(name, { env, logFile: log })
  return supervise({ name, say, log, start: () => launch(program) })
}

/** @param {import('./launch/settings.mjs').Settings} settings */
function announce({ baseUrl, url }) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const lines = [
    '',
    `  forum    ${baseUrl}`,
    `  agents   ${baseUrl}/skill.md`,
    `  health   ${url}/api/v1/health`,
    `  try      curl '${url}/api/v1/feed?sort=new'`,
    `  logs     ${LOGS}`,
    `  data     ${DATA_DIR}`,
    '  stop     Ctrl-C',
    '',
    `ready after ${seconds} s: ${baseUrl}`,
  ]
  console.log(lines.join('\n'))
}

async function stopEverything() {
  if (!inCharge) return
  if (services.length + dataServers.length > 0) say('Stopping ...')
  const [gateway, ...others] = services.toReversed()
  await gateway?.stop()
  await Promise.all(others.map((service) => service.stop()))
  await Promise.all(dataServers.map((server) => server.stop()))
  removeRunning()
  leaveCharge(PROCESSES)
  if (services.length > 0) say('Stopped.')
}

/** @param {unknown} error */
function explain(error) {
  console.error(`\n${error instanceof Error ? error.message : error}`)
  if (error instanceof CrashLoop) console.error(whyEnded(logOf(error.service)))
  if (services.length > 0) console.error(`The logs are in ${LOGS}.`)
}

/** @param {string} name */
function logOf(name) {
  return join(LOGS, `${name}.log`)
}

/** @param {string} line */
function say(line) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)
  console.log(`[${seconds} s] ${line}`)
}

/**
 * `npm test`: every check and every test, against servers of its own.
 *
 * 1. install; 2. lint and format, build, type-check the tests; 3. start PostgreSQL, Redis, NATS
 * and Meilisearch on free ports with their data in a temporary folder; 4. run jest with their
 * addresses in TEST_* variables; 5. stop everything and say `N passed, N failed`.
 *
 * Arguments go to jest: `npm test -- launcher`. With `--no-checks` step 2 is
 * only the build, and the tests run even if it fails: for a quick look while working.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from '../../packages/shared/src/process/command-line.mjs'
import { install } from './launch/install.mjs'
import { childEnv, ROOT } from './paths.mjs'
import { run } from './processes/run.mjs'
import { makeRunFolder, removeRunFolder } from './processes/run-folder.mjs'
import { stopOnSignals } from './processes/stop-request.mjs'
import { meiliBinary } from './servers/binaries.mjs'
import { newPassword } from './servers/password.mjs'
import {
  startMeili,
  startNats,
  startPostgres,
  startRedis,
  UNSAFE_BUT_FAST,
} from './servers/servers.mjs'

const JEST_TIMEOUT_MS = 45 * 60_000
const NO_CHECKS = '--no-checks'
const QUICK = process.argv.includes(NO_CHECKS)
const USAGE = `usage: npm test -- [--no-checks] [paths ...] [options of jest]

Runs all checks, then the tests whose paths contain one of the given ones, or all tests.

  ${NO_CHECKS}   of the checks only builds, and runs the tests even if the build fails
  -t <name>     runs only tests with this name; jest gets this and all other options`

// Options that this program does not know are for jest.
readCommandLine(USAGE, { strict: false })
const interruption = stopOnSignals()
process.exitCode = await main()

async function main() {
  let result = { passed: 0, failed: 1 }
  try {
    await install({ signal: interruption })
    const failed = await failedChecks()
    result = { passed: 0, failed }
    if (failed === 0 || QUICK) {
      const tests = await testOnServers()
      result = { passed: tests.passed, failed: failed + tests.failed }
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    result = { passed: 0, failed: Math.max(result.failed, 1) }
  }
  if (interruption.aborted) console.error(interruption.reason.message)
  console.log(`${result.passed} passed, ${result.failed} failed`)
  return result.failed === 0 && result.passed > 0 && !interruption.aborted ? 0 : 1
}

/** Runs the static checks, all of them, so that one round shows every complaint. */
async function failedChecks() {
  const checks = [
    { name: 'lint and format', program: 'biome', args: ['check', '.'] },
    { name: 'build', program: 'tsc', args: ['-b'] },
    { name: 'types of the tests', program: 'tsc', args: ['-p', 'tsconfig.test.json'] },
    { name: 'types of the launcher', program: 'tsc', args: ['-p', 'deploy/tsconfig.json'] },
    { name: 'types of the bench', program: 'tsc', args: ['-p', 'bench/tsconfig.json'] },
  ]
  const wanted = QUICK ? checks.filter(({ name }) => name === 'build') : checks
  let failed = 0
  for (const { name, program, args } of wanted) {
    interruption.throwIfAborted()
    console.log(`Checking: ${name} ...`)
    const command = join(ROOT, 'node_modules', '.bin', program)
    const signal = interruption
    const { code } = await run({ command, args, cwd: ROOT, env: childEnv(), show: true, signal })
    if (code === 0) continue
    console.error(`Failed: ${name}`)
    failed += 1
  }
  return failed
}

async function testOnServers() {
  const folder = await makeRunFolder('test')
  /** @type {import('./servers/servers.mjs').Server[]} */
  const servers = []
  try {
    const addresses = await startServers(folder, servers)
    interruption.throwIfAborted()
    return await runJest(addresses, join(folder, 'jest.json'))
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    removeRunFolder(folder)
  }
}

/**
 * @param {string} folder
 * @param {import('./servers/servers.mjs').Server[]} servers gets each server as soon as it runs
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
async function startServers(folder, servers) {
  console.log('Starting PostgreSQL, Redis, NATS and Meilisearch for the tests ...')
  const hasMeili = (await meiliBinary()) !== null
  if (!hasMeili) console.log('There is no Meilisearch here: its tests are skipped.')
  const masterKey = newPassword()
  const keep = async (/** @type {Promise<import('./servers/servers.mjs').Server>} */ starting) => {
    const server = await starting
    servers.push(server)
    return server
  }
  const starting = [
    keep(startPostgres({ dir: join(folder, 'postgres'), tuning: UNSAFE_BUT_FAST })),
    keep(startRedis({ dir: join(folder, 'redis') })),
    keep(startNats({ dir: join(folder, 'nats') })),
    ...(hasMeili ? [keep(startMeili({ dir: join(folder, 'meilisearch'), masterKey }))] : []),
  ]
  // Wait until every start has settled, so that no server starts after the others were stopped.
  await Promise.allSettled(starting)
  const [postgres, redis, nats, meili] = await Promise.all(starting)
  return {
    TEST_DATABASE_URL: postgres?.url,
    TEST_REDIS_URL: redis?.url,
    TEST_NATS_URL: nats?.url,
    ...(meili ? { TEST_MEILI_URL: meili.url, TEST_MEILI_KEY: masterKey } : {}),
  }
}

/**
 * @param {NodeJS.ProcessEnv} addresses
 * @param {string} report
 */
async function runJest(addresses, report) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
  const { code } = await run({
    command: process.execPath,
    args: [
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      ...['--maxWorkers=2', '--json', `--outputFile=${report}`],
      ...process.argv.slice(2).filter((argument) => argument !== NO_CHECKS),
    ],
    cwd: ROOT,
    env: childEnv({
      ...addresses,
      NODE_ENV: 'test',
      NODE_OPTIONS: [process.env.NODE_OPTIONS, ...flags].filter(Boolean).join(' '),
    }),
    timeoutMs: JEST_TIMEOUT_MS,
    show: true,
    signal: interruption,
  })
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const counts = JSON.parse(readFileSync(report, 'utf8'))
  const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites
  // Jest may also fail without a failed test: because of a coverage floor, say, or a global
  // teardown.
  return { passed: counts.numPassedTests, failed: code === 0 ? failed : Math.max(failed, 1) }
}

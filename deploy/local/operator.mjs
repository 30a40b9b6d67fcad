/**
 * The operator's commands on the forum that runs here: `npm run admin`, `npm run rebuild` and
 * `npm run dead-letters`. DATABASE_URL or NATS_URL, when set, leads to another forum.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { badUsage, readCommandLine } from '../../packages/shared/src/process/command-line.mjs'
import { withBusLogin } from './launch/bus-login.mjs'
import { readRunning } from './launch/running.mjs'
import { childEnv, ROOT } from './paths.mjs'
import { run } from './processes/run.mjs'
import { stopOnSignals } from './processes/stop-request.mjs'

const COMMANDS = {
  admin: {
    file: 'services/content/dist/cli/admin.js',
    needs: 'DATABASE_URL',
    // Recounting a large forum can take hours.
    timeoutMs: 6 * 3_600_000,
  },
  rebuild: {
    file: 'packages/shared/dist/cli/rebuild.js',
    needs: 'NATS_URL',
    timeoutMs: 6 * 3_600_000,
  },
  'dead-letters': {
    file: 'packages/shared/dist/cli/dead-letters.js',
    needs: 'NATS_URL',
    timeoutMs: 60_000,
  },
}

/** The exit code a shell gives a program that was interrupted. */
const STOPPED = 130

const USAGE = 'usage: npm run admin|rebuild|dead-letters [-- --help]'

const [name = '', ...words] = process.argv.slice(2)
const signal = stopOnSignals()
try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main() {
  const { file, needs, timeoutMs } = commandCalled(name)
  const program = join(ROOT, file)
  const given = process.env[needs]
  // `withBusLogin` returns an address of PostgreSQL unchanged, because it is not one of the bus.
  const url = given ? withBusLogin(given, 'operator', process.env) : addressHere(needs)
  if (!url && !(words.includes('--help') && existsSync(program))) {
    throw new Error(`The forum is not running here: run npm start first, or set ${needs}.`)
  }
  const { code, output } = await run({
    command: process.execPath,
    args: [program, ...words],
    env: childEnv(url ? { [needs]: url } : {}),
    timeoutMs,
    show: true,
    signal,
  })
  // The command has already shown its own output; this says why it was ended or could not start.
  if (output) console.error(output)
  process.exitCode = signal.aborted ? STOPPED : code
}

/** @param {string} needs */
function addressHere(needs) {
  return readRunning(`restart the forum, which rewrites this file, or set ${needs}`)?.env[needs]
}

/** @param {string} name */
function commandCalled(name) {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[/** @type {keyof typeof COMMANDS} */ (name)]
  readCommandLine(USAGE, { allowPositionals: true })
  const isMissing = name === ''
  return badUsage(
    USAGE,
    isMissing ? 'Name a command' : `There is no command ${JSON.stringify(name)}`,
  )
}

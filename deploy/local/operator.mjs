/**
 * The operator's commands on the forum that runs here: `npm run admin`, `npm run rebuild` and
 * `npm run dead-letters`. DATABASE_URL or NATS_URL, when set, leads to another forum.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readRunning } from './launch/running.mjs'
import { childEnv, ROOT } from './paths.mjs'
import { run } from './processes/run.mjs'

const COMMANDS = {
  admin: {
    file: 'services/content/dist/cli/admin.js',
    needs: 'DATABASE_URL',
    // Counting a large forum anew takes its time.
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

const [name = '', ...words] = process.argv.slice(2)
const { file, needs, timeoutMs } = COMMANDS[/** @type {keyof typeof COMMANDS} */ (name)]
const url = process.env[needs] || readRunning()?.env[needs]
const program = join(ROOT, file)
if (url || (words.includes('--help') && existsSync(program))) {
  const { code } = await run({
    command: process.execPath,
    args: [program, ...words],
    env: childEnv(url ? { [needs]: url } : {}),
    timeoutMs,
    show: true,
  })
  process.exitCode = code
} else {
  console.error(`The forum is not running here: run npm start first, or set ${needs}.`)
  process.exitCode = 1
}

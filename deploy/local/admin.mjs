/**
 * `npm run admin -- moderator create <handle>` and the other commands of the operator, on the
 * database of the running forum. DATABASE_URL, when set, leads to another one.
 */
import { join } from 'node:path'
import { run } from './child.mjs'
import { childEnv, ROOT } from './paths.mjs'
import { readRunning } from './running.mjs'

const TIMEOUT_MS = 60_000

const url = process.env.DATABASE_URL || readRunning()?.env.DATABASE_URL
if (url) {
  const { code } = await run({
    command: process.execPath,
    args: [join(ROOT, 'services/content/dist/cli/admin.js'), ...process.argv.slice(2)],
    env: childEnv({ DATABASE_URL: url }),
    timeoutMs: TIMEOUT_MS,
    show: true,
  })
  process.exitCode = code
} else {
  console.error('The forum is not running here: run npm start first, or set DATABASE_URL.')
  process.exitCode = 1
}

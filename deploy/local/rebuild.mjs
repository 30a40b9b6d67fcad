/**
 * `npm run rebuild -- ranking|search`: has the running forum build its hot order, or its search
 * index, again from PostgreSQL. NATS_URL, when set, leads to a forum that was started otherwise.
 */
import { join } from 'node:path'
import { run } from './child.mjs'
import { childEnv, ROOT } from './paths.mjs'
import { readRunning } from './running.mjs'

const TIMEOUT_MS = 6 * 3_600_000

const url = process.env.NATS_URL || readRunning()?.env.NATS_URL
if (url) {
  const { code } = await run({
    command: process.execPath,
    args: [join(ROOT, 'packages/shared/dist/cli/rebuild.js'), ...process.argv.slice(2)],
    env: childEnv({ NATS_URL: url }),
    timeoutMs: TIMEOUT_MS,
    show: true,
  })
  process.exitCode = code
} else {
  console.error('The forum is not running here: run npm start first, or set NATS_URL.')
  process.exitCode = 1
}

/**
 * `npm run demo`: fills a running forum with a scripted cast of agents and their threads, over the
 * same HTTP interface that any agent uses.
 *
 * A journal in the data folder says what earlier runs did: a second run adds nothing twice, and
 * after an interruption the next run goes on where it stopped. If the forum has agents with the
 * handles of the cast from elsewhere, the new handles get a number.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { badUsage, readCommandLine } from '../../packages/shared/src/process/command-line.mjs'
import { createClient } from './demo/client.mjs'
import { openJournal } from './demo/journal.mjs'
import { readThreads } from './demo/read-threads.mjs'
import { script } from './demo/script.mjs'
import { readRunning } from './launch/running.mjs'

const USAGE = `usage: npm run demo -- [--url URL]

  --url URL   the forum to fill (default: the one that runs here)`
const THREADS = join(import.meta.dirname, 'demo', 'threads')

try {
  await main()
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function main() {
  const { values } = readCommandLine(USAGE, { options: { url: { type: 'string' } } })
  if (values.url !== undefined && !URL.canParse(values.url)) {
    badUsage(USAGE, `${JSON.stringify(values.url)} is not the address of a forum`)
  }
  const url = (values.url ?? readRunning()?.url ?? 'http://localhost:8080').replace(/\/+$/, '')
  const request = createClient(url, console.log)
  await insistOnForum(url)
  const { journal, save, forget } = openJournal(url)
  if (await isAnotherForum(request, journal)) forget()

  const steps = script(readThreads(THREADS))
  const width = `${steps.length}`.length
  let added = 0
  for (const [index, { key, text, run }] of steps.entries()) {
    if (Object.hasOwn(journal.done, key)) continue
    console.log(`[${`${index + 1}`.padStart(width)}/${steps.length}] ${text}`)
    journal.done[key] = (await run({ request, journal }, onceFor(key))) ?? true
    save()
    added += 1
  }
  console.log(
    added > 0 ? `\nDone: look at ${url}/` : `The demo is complete already: look at ${url}/`,
  )
}

/** @param {string} url */
async function insistOnForum(url) {
  const health = await fetch(`${url}/api/v1/health`, { signal: AbortSignal.timeout(5_000) })
    .then((response) => /** @type {Promise<any>} */ (response.json()))
    .catch(() => null)
  if (health?.object !== 'health') {
    throw new Error(`No forum answers at ${url}: run npm start first, or name one with --url.`)
  }
}

/**
 * Whether the journal is about a forum whose data is gone: the forum does not know its keys any
 * more.
 *
 * @param {import('./demo/client.mjs').Request} request
 * @param {import('./demo/journal.mjs').Journal} journal
 */
async function isAnotherForum(request, { agents }) {
  const [first] = Object.values(agents)
  if (!first) return false
  const { status } = await request('GET', '/api/v1/me', { key: first.key })
  return status === 401
}

/**
 * The Idempotency-Key of a step, the same in every run, so that a write whose answer was lost lands
 * once.
 *
 * @param {string} key
 */
function onceFor(key) {
  return `demo-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
}

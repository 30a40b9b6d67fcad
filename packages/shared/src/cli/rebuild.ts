import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, connectBus } from '../bus/bus.ts'
import { type RebuildState, rebuildRanking, rebuildSearch } from '../contracts/rebuild.ts'
import { isAppError, isUnanswered } from '../errors/errors.ts'
import { badUsage, readCommandLine } from '../process/command-line.mjs'

/**
 * `node rebuild.js ranking|search`: asks a service to build its store again from PostgreSQL, and
 * shows how far it is. Exit status 0 when it is done; the forum goes on working. NATS_URL must
 * log in as `gateway` or `operator`.
 */
const TARGETS = { ranking: rebuildRanking, search: rebuildSearch }
type Target = keyof typeof TARGETS

const USAGE = `usage: npm run rebuild -- ${Object.keys(TARGETS).join('|')}`

const POLL_MS = 250
/** Without any progress for this long, no replica seems to be working on the rebuild. */
const STALLED_AFTER_MS = 5 * 60_000
/** For how long requests may go unanswered. */
const AWAY_MAX_MS = 60_000
const CONNECT_TIMEOUT_MS = 5_000
const BAR_LENGTH = 30

// A connection that is still being tried must not keep the process alive.
process.exit(await main())

async function main(): Promise<number> {
  const { positionals } = readCommandLine(USAGE, { allowPositionals: true })
  const [target = ''] = positionals
  if (positionals.length > 1 || !Object.hasOwn(TARGETS, target)) {
    badUsage(USAGE, 'Name what to rebuild: ranking or search')
  }
  const bus = await connect(process.env.NATS_URL ?? 'nats://127.0.0.1:4222')
  if (!bus) {
    console.error('The bus does not answer: check that the forum runs and that NATS_URL is right.')
    return 1
  }
  try {
    return await follow(bus, target as Target)
  } catch (error) {
    const code = isAppError(error) ? error.code : String(error)
    console.error(`\n${target} cannot be rebuilt now: ${code}`)
    return 1
  } finally {
    await bus.close()
  }
}

async function connect(url: string): Promise<Bus | null> {
  const connecting = connectBus('gateway', url).catch(() => null)
  const late = sleep(CONNECT_TIMEOUT_MS, null, { ref: false })
  return Promise.race([connecting, late])
}

async function follow(bus: Bus, target: Target): Promise<number> {
  const before = await ask(bus, target, false).catch((error) => {
    if (!isUnanswered(error)) throw error
    console.error(`${target} does not answer yet: waiting for it, for up to a minute ...`)
    return poll(bus, target)
  })
  if (before.state === 'absent') {
    console.error('There is no index to rebuild: search runs without MEILI_URL.')
    return 1
  }
  const startedAt = performance.now()
  let movedAt = startedAt
  let state = await begin(bus, target)
  // The last total that was counted, because a small forum is rebuilt before the next poll.
  let total = state.total
  show(target, state)
  while (state.state === 'running') {
    if (performance.now() - movedAt > STALLED_AFTER_MS) {
      console.error(
        `\nNo progress for ${STALLED_AFTER_MS / 60_000} minutes: see the log of ${target}.`,
      )
      return 1
    }
    await sleep(POLL_MS)
    const next = await poll(bus, target)
    if (next.done !== state.done || next.state !== state.state) {
      movedAt = performance.now()
      if (next.state === 'running') show(target, next)
    }
    state = next
    total = next.total || total
  }
  // Any replica may have answered last: the generation served shows whether any of them finished.
  if (state.generation === null || state.generation === before.generation) {
    console.error(`\n${target} was not rebuilt: see its log, then run this command again.`)
    return 1
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`\n${target} is rebuilt, ${total} entries in all, after ${seconds} s.`)
  return 0
}

function ask(bus: Bus, target: Target, start: boolean): Promise<RebuildState> {
  const meta = { requestId: `rebuild-${process.pid}`, remainingMs: 3_000 }
  return bus.request(TARGETS[target], { start }, meta)
}

/**
 * A rebuild of search begins after Meilisearch has done its earlier tasks, which may take long. A
 * repeated request joins the rebuild that was asked for.
 */
function begin(bus: Bus, target: Target): Promise<RebuildState> {
  return patiently(() => ask(bus, target, true), isUnanswered)
}

/** A service that is busy may miss a poll, and all of its replicas may be restarting. */
function poll(bus: Bus, target: Target): Promise<RebuildState> {
  return patiently(
    () => ask(bus, target, false),
    () => true,
  )
}

/** Asks again for up to AWAY_MAX_MS while it fails with an error that `passes` accepts. */
async function patiently<T>(
  asking: () => Promise<T>,
  passes: (error: unknown) => boolean,
): Promise<T> {
  const until = performance.now() + AWAY_MAX_MS
  for (;;) {
    try {
      return await asking()
    } catch (error) {
      if (!passes(error) || performance.now() > until) throw error
      await sleep(POLL_MS)
    }
  }
}

function show(target: Target, { done, total }: RebuildState): void {
  // Nothing has been counted yet.
  if (total === 0) return
  const share = Math.min(1, done / total)
  const filled = Math.round(share * BAR_LENGTH)
  const bar = '#'.repeat(filled).padEnd(BAR_LENGTH, '.')
  const line = `${target} [${bar}] ${done} of ${total}`
  process.stdout.write(process.stdout.isTTY ? `\r${line}` : `${line}\n`)
}

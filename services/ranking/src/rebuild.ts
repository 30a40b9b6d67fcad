import type { Bus } from '@stoa/shared/bus/bus.js'
import { streamState } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import type { RankPost } from '@stoa/shared/contracts/events.js'
import { rankSnapshot } from '@stoa/shared/contracts/rank.js'
import { uuidV7 } from '@stoa/shared/identifiers/ids.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { pause } from '@stoa/shared/process/pause.js'
import { isRefusal } from '@stoa/shared/process/redis.js'
import {
  beginGeneration,
  dropUnserved,
  fill,
  type HotStore,
  type Outcome,
  serveGeneration,
} from './hot-store.ts'
import { writeRebuildState } from './rebuild-state.ts'

export interface RebuildDeps {
  bus: Bus
  store: HotStore
  log: Logger
}

const PAGE_POSTS = 5_000
const PAGE_ATTEMPTS_MAX = 5
const PAGE_RETRY_MS = 500

/**
 * Builds the hot sets from PostgreSQL while the sets before are still served.
 *
 * 1. Delete what dead rebuilds left: there may be no room for another generation beside it.
 * 2. Note the end of the RANK stream: all events before it are in the snapshot.
 * 3. Fill a new generation from content's snapshot, a page at a time.
 * 4. Serve it, in one step, at the position noted: the reader goes on from there.
 * 5. Delete the generation before, or the new one if it is not served.
 */
export async function rebuild(deps: RebuildDeps, token: string, signal: AbortSignal) {
  const startedAt = Date.now()
  const posts = await buildAndServe(deps, token, signal)
  await dropUnserved(deps.store, token)
  deps.log.info({ posts, took_ms: Date.now() - startedAt }, 'rebuilt')
}

/** Returns how many posts are served now. */
async function buildAndServe(
  deps: RebuildDeps,
  token: string,
  signal: AbortSignal,
): Promise<number> {
  const { bus, store } = deps
  try {
    await dropUnserved(store, token)
    await writeRebuildState(store, 'running', 0, 0)
    const { created, lastSeq } = await streamState(bus.nc, STREAMS.rank.name)
    const generation = await beginGeneration(store)
    const posts = await fillFromSnapshot(deps, token, generation, signal)
    const marker = { generation, position: lastSeq, stream: created }
    insist(await serveGeneration(store, token, marker, posts))
    return posts
  } catch (error) {
    // First, because there is room for the state only then.
    await dropUnserved(store, token).catch(() => {})
    // A rebuild that was cut short stays `running`, so that the next active worker takes it up.
    const cutShort = signal.aborted || error instanceof Overtaken
    if (!cutShort) await writeRebuildState(store, 'failed', 0, 0).catch(() => {})
    throw isLackOfRoom(error)
      ? new NoRoom('redis has no room for the hot order', { cause: error })
      : error
  }
}

/** Reads the next page while the one before is written. */
async function fillFromSnapshot(
  deps: RebuildDeps,
  token: string,
  generation: string,
  signal: AbortSignal,
): Promise<number> {
  let done = 0
  let total = 0
  let coming = readPage(deps, undefined, signal)
  for (;;) {
    const page = await coming
    const { items } = page
    // Content counts all posts for the first page only.
    total ||= page.total
    const last = items.at(-1)
    if (!last) return done
    coming = readPage(deps, last, signal)
    // If the page ahead fails, the next turn meets the error, or it does not matter any more.
    coming.catch(() => {})
    insist(await fill(deps.store, token, generation, items, done))
    done += items.length
    await writeRebuildState(deps.store, 'running', done, Math.max(done, total))
  }
}

async function readPage(
  { bus, log }: RebuildDeps,
  last: RankPost | undefined,
  signal: AbortSignal,
) {
  const from = last ? { before_id: last.post_id } : {}
  const meta = { requestId: `rebuild-${uuidV7()}`, remainingMs: rankSnapshot.timeoutMs }
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await bus.request(rankSnapshot, { ...from, limit: PAGE_POSTS }, meta)
    } catch (error) {
      if (attempt === PAGE_ATTEMPTS_MAX) throw error
      log.warn({ err: error, attempt }, 'snapshot page not read')
      await pause(PAGE_RETRY_MS * 2 ** attempt, signal)
    }
  }
}

/** Another worker is active, or the store was wiped or lost a part during the rebuild. */
class Overtaken extends Error {}

/**
 * Redis refuses more, or drops keys because it is full: another try at once would end the same way.
 */
export class NoRoom extends Error {}

/** A script that runs out of memory says so inside a message of its own. */
function isLackOfRoom(error: unknown): boolean {
  return isRefusal(error) && /\bOOM\b/.test(error.message)
}

function insist(outcome: Outcome): void {
  if (outcome === 'vanished') throw new NoRoom('redis has dropped keys of what was being built')
  if (outcome !== 'ok') throw new Overtaken(`the rebuild was overtaken: ${outcome}`)
}

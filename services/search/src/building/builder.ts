import type { RebuildState } from '@stoa/shared/contracts/rebuild.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { afterMs } from '@stoa/shared/process/after-ms.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { pause } from '@stoa/shared/process/pause.js'
import { dropIndex } from '../indexing/index-generations.ts'
import type { IndexDeps } from '../indexing/index-ids.ts'
import { claimBuild, isBuildAbandoned, oldestBuild } from './build-claim.ts'
import { hasMissedEvents } from './missed-events.ts'
import { countDocuments, type Progress, rebuild } from './rebuild.ts'

const WATCH_MS = 2_000
/** Three times as long as searches wait: an index that hangs longer is away, as health must say. */
const LOOK_WITHIN_MS = 3_000
/**
 * Each note costs Meilisearch a task. It may be this old, as long as the bus keeps events longer.
 */
const NOTE_EVERY_MS = 60_000
const RETRY_MIN_MS = 500
const RETRY_MAX_MS = 30_000

/** What a look at Meilisearch found. */
interface Seen {
  /** The generation that is searched; null if there is none. */
  generation: string | null
  built: boolean
  /** Whether a rebuild that another replica began has to begin again. */
  isAbandoned: boolean
}

/**
 * Keeps an index available: rebuilds it when none has been filled, when events were dropped before
 * they were indexed, when somebody asks, and when a rebuilding replica was killed or stopped.
 */
export class Builder {
  readonly #deps: IndexDeps
  readonly #log: Logger
  readonly #stopping = new AbortController()
  readonly #watching: Promise<void>
  /** Wakes the watch early. */
  #look = new AbortController()
  #running: { uid: string; progress: Progress; done: Promise<void> } | undefined
  #starting: Promise<void> | undefined
  #failed = false
  #hasMissed = false
  #notedAt = Number.NEGATIVE_INFINITY
  /** The index as it was at the last look. */
  #seen: 'there' | 'missing' | 'away' | undefined

  constructor(deps: IndexDeps, log: Logger) {
    this.#deps = deps
    this.#log = log
    this.#watching = this.#watch(this.#stopping.signal)
  }

  /** Whether the index answered at the last look. */
  get isUp(): boolean {
    return this.#seen === 'there'
  }

  /** Looks at the index at once, because something is wrong with it. */
  look(): void {
    this.#look.abort()
  }

  /**
   * Starts a rebuild unless one that reads all of content is under way on any replica. Throws
   * `unavailable`.
   */
  async start(): Promise<void> {
    if (this.#running) {
      const { uid, done } = this.#running
      if (!(await this.#isSearched(uid))) return
      await done
    }
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined
    })
    await this.#starting
  }

  /** The same, unless another generation than `seen` is searched: another replica has rebuilt. */
  async #begin(seen?: Seen): Promise<void> {
    const total = await countDocuments(this.#deps)
    const progress = { done: 0, total }
    const uid = await claimBuild(this.#deps.index, seen?.generation)
    if (uid !== undefined) this.#running = { uid, progress, done: this.#run(uid, progress) }
  }

  async #run(uid: string, progress: Progress): Promise<void> {
    const { index } = this.#deps
    const startedAt = Date.now()
    try {
      await rebuild(this.#deps, uid, progress, this.#stopping.signal)
      this.#failed = false
      this.#log.info({ documents: progress.done, took_ms: Date.now() - startedAt }, 'rebuilt')
    } catch (error) {
      this.#failed = true
      if (!this.#stopping.signal.aborted) this.#log.warn({ err: error }, 'rebuild failed')
    } finally {
      // After a swap, this is the index that was live before.
      const isLeft = this.#failed && (await this.#hasToBeBegunAnew(uid))
      if (!isLeft) await dropIndex(index, uid).catch(() => {})
      this.#running = undefined
      // After a failure, the watch tries again at its own pace.
      if (!this.#failed) this.look()
    }
  }

  /**
   * Whether the index of a failed rebuild stays, so that some replica finds it abandoned and begins
   * again: if the rebuild was stopped, or if its index is searched already but lacks the events
   * before the swap, which consumers had no index to put into. Without an index that is searched,
   * all replicas begin again at once.
   */
  async #hasToBeBegunAnew(uid: string): Promise<boolean> {
    const isSearched = await this.#isSearched(uid).catch(() => false)
    return isSearched || (this.#stopping.signal.aborted && this.isUp)
  }

  /** Whether the build is live, maybe before its swap is reported. Throws `unavailable`. */
  async #isSearched(uid: string): Promise<boolean> {
    const { index } = this.#deps
    return (await index.generationOf(index.live)) === uid
  }

  /** The state of a rebuild on any replica, whose index all can see. Throws `unavailable`. */
  async state(): Promise<RebuildState> {
    const { index } = this.#deps
    // The builds first: if the last of them is gone, the generation served is its result.
    const uid = await oldestBuild(index)
    const generation = await index.generationOf(index.live)
    const about = { object: 'rebuild', generation } as const
    if (this.#running) {
      const { done, total } = this.#running.progress
      return { ...about, state: 'running', done, total }
    }
    if (uid === undefined) {
      return { ...about, state: this.#failed ? 'failed' : 'idle', done: 0, total: 0 }
    }
    const done = await index.sizeOf(uid)
    const total = Math.max(done, await countDocuments(this.#deps))
    return { ...about, state: 'running', done, total }
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    this.look()
    await this.#watching
    await this.#running?.done
  }

  async #watch(stopping: AbortSignal): Promise<void> {
    let failures = 0
    let triedAt = 0
    while (!stopping.aborted) {
      this.#look = new AbortController()
      const signal = this.#look.signal
      const seen = await this.#see()
      const isWanted = seen && (!seen.built || seen.isAbandoned || (await this.#isBehind()))
      // Each search that finds nothing causes a look, and a try reads all of content.
      const isDue = performance.now() >= triedAt + retryMs(failures)
      if (isWanted && !this.#running && isDue) {
        const isTried = await this.#begin(seen).then(
          () => true,
          (error: unknown) => {
            this.#log.warn({ err: error }, 'rebuild not started')
            return false
          },
        )
        // It is no failure if another replica rebuilds: this one may have to take its place.
        failures = isTried && !this.#failed ? 0 : failures + 1
        triedAt = performance.now()
      }
      const untilDueMs = triedAt + retryMs(failures) - performance.now()
      await pause(untilDueMs > 0 ? Math.min(untilDueMs, WATCH_MS) : WATCH_MS, signal)
    }
  }

  /** Whether only a rebuild can bring the searched index up to date. */
  async #isBehind(): Promise<boolean> {
    if (this.#running || performance.now() - this.#notedAt < NOTE_EVERY_MS) return false
    const hasMissed = await inTime(hasMissedEvents(this.#deps)).catch((error: Error) => {
      // Meilisearch was there just before, so health must learn soon that it hangs.
      if (error.cause instanceof Late) this.look()
      return undefined
    })
    if (hasMissed === undefined) return false
    if (hasMissed && !this.#hasMissed) {
      this.#log.warn('the bus dropped events before they were indexed: the index is rebuilt')
    }
    this.#hasMissed = hasMissed
    if (!hasMissed) this.#notedAt = performance.now()
    return hasMissed
  }

  /** Undefined if Meilisearch cannot be asked. */
  async #see(): Promise<Seen | undefined> {
    const { index } = this.#deps
    const before = this.#seen
    try {
      // First: an index swapped in during the other calls must not be taken for the one that they
      // describe.
      const generation = await inTime(index.generationOf(index.live))
      const [built, isAbandoned] = await Promise.all([
        inTime(index.isBuilt()),
        inTime(isBuildAbandoned(index)).catch(() => false),
      ])
      this.#seen = built ? 'there' : 'missing'
      if (this.#seen !== before) this.#log.info({ up: built }, `the index is ${this.#seen}`)
      return { generation, built, isAbandoned }
    } catch (error) {
      this.#seen = 'away'
      if (this.#seen !== before) this.#log.warn({ up: false, err: error }, 'the index is away')
      return undefined
    }
  }
}

/** How many milliseconds after a try the next one begins; 0 if none has failed. */
function retryMs(failures: number): number {
  return failures > 0 ? Math.min(RETRY_MIN_MS * 2 ** failures, RETRY_MAX_MS) : 0
}

class Late extends Error {}

/** Throws `unavailable`, caused by `Late`, if the answer takes too long. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new AppError('unavailable', {}, { cause: new Late('no answer in time') })
    timer = afterMs(LOOK_WITHIN_MS, () => reject(error))
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

import type { Logger } from '@stoa/shared/process/logger.js'
import { pause } from '@stoa/shared/process/pause.js'
import type { IndexDeps } from './index-ids.ts'
import { finishMerges, mergeRecent } from './merge-recent.ts'

const LOOK_EVERY_MS = 2_000
/** As long as a text that was edited is found by its old words and counted twice. */
const MERGE_EVERY_MS = 10 * 60_000

interface RecentOptions {
  /** How many documents the live index has, for the recent one to be used. */
  from: number
  /** How many documents the recent index has before they are merged. */
  max: number
}

/** Sees to it that a large forum uses its recent index, and that this stays small. */
export class Recent {
  readonly #deps: IndexDeps
  readonly #options: RecentOptions
  readonly #log: Logger
  readonly #stopping = new AbortController()
  /** Whether a merge may have ended early, here or in a process before this one. */
  #isUnfinished = true
  #mergedAt = performance.now()
  #limit: number

  constructor(deps: IndexDeps, options: RecentOptions, log: Logger) {
    this.#deps = deps
    this.#options = options
    this.#log = log
    this.#limit = limitBelow(options.max)
  }

  /** Looks once, so that the first search asks what it should, and then again and again. */
  async start(): Promise<void> {
    await this.#look()
    void this.#watch(this.#stopping.signal)
  }

  /** Does not wait: what is half merged is merged again by whoever looks next. */
  close(): void {
    this.#stopping.abort()
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const merged = await this.#mergeWhatIsDue(signal)
      // Where more is due than one merge moves, the next follows at once.
      if (merged === 0) await pause(LOOK_EVERY_MS, signal)
    }
  }

  /** How many documents were merged. */
  async #mergeWhatIsDue(signal: AbortSignal): Promise<number> {
    const isDue = await this.#look()
    if (isDue === undefined || !(isDue || this.#isUnfinished)) return 0
    try {
      // Also what another replica left.
      await finishMerges(this.#deps)
      this.#isUnfinished = isDue
      return isDue ? await this.#merge() : 0
    } catch (error) {
      if (!signal.aborted) this.#log.warn({ err: error }, 'not merged')
      return 0
    }
  }

  /** Whether the recent index is to be merged; undefined where Meilisearch cannot be asked. */
  async #look(): Promise<boolean | undefined> {
    const { index } = this.#deps
    const asked = Promise.all([index.sizeOf(index.live), index.sizeOf(index.recent)])
    const sizes = await asked.catch(() => undefined)
    if (sizes === undefined) return undefined
    const [live, recent] = sizes
    const isLarge = live >= this.#options.from
    index.usesRecent = isLarge || recent > 0
    const isOld = performance.now() - this.#mergedAt >= MERGE_EVERY_MS
    return recent > 0 && (recent >= this.#limit || isOld || !isLarge)
  }

  async #merge(): Promise<number> {
    const startedAt = performance.now()
    const documents = await mergeRecent(this.#deps, this.#options.max)
    this.#mergedAt = performance.now()
    this.#limit = limitBelow(this.#options.max)
    this.#log.info({ documents, took_ms: Math.round(this.#mergedAt - startedAt) }, 'merged')
    return documents
  }
}

/** Another for each replica and time, so that two of them seldom do the same work. */
function limitBelow(max: number): number {
  return Math.ceil(max * (0.5 + Math.random() / 2))
}

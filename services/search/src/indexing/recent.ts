import type { Logger } from '@stoa/shared/process/logger.js'
import { pause } from '@stoa/shared/process/pause.js'
import type { IndexDeps } from './index-ids.ts'
import { finishMerges, mergeRecent } from './merge-recent.ts'

const LOOK_EVERY_MS = 2_000
/** For this long an edited text may be found by its old words too, and counted twice. */
const MERGE_EVERY_MS = 10 * 60_000

interface RecentOptions {
  /** How many documents the live index must have for the recent one to be used. */
  from: number
  /** How many documents the recent index may have before they are merged. */
  max: number
}

/** Makes a large forum use its recent index, and keeps that index small. */
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
    void this.#watch(this.#stopping.signal)
  }

  /** Does not wait: a merge that is half done is finished by the next replica that looks. */
  close(): void {
    this.#stopping.abort()
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const merged = await this.#mergeWhatIsDue(signal)
      // If more is due than one merge moves, the next merge follows at once.
      if (merged === 0) await pause(LOOK_EVERY_MS, signal)
    }
  }

  /** Returns how many documents were merged. */
  async #mergeWhatIsDue(signal: AbortSignal): Promise<number> {
    const isDue = await this.#look()
    if (isDue === undefined || !(isDue || this.#isUnfinished)) return 0
    try {
      // Also finishes what another replica left.
      await finishMerges(this.#deps)
      this.#isUnfinished = isDue
      return isDue ? await this.#merge() : 0
    } catch (error) {
      if (!signal.aborted) this.#log.warn({ err: error }, 'not merged')
      return 0
    }
  }

  /** Whether the recent index is to be merged; undefined if Meilisearch cannot be asked. */
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

/** A random limit, so that two replicas seldom do the same work. */
function limitBelow(max: number): number {
  return Math.ceil(max * (0.5 + Math.random() / 2))
}

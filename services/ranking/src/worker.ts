import { followStream } from '@stoa/shared/bus/follow-stream.js'
import { canResume, type StreamState, streamState } from '@stoa/shared/bus/stream-state.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { RANKED_TOGETHER_MAX, rankPost } from '@stoa/shared/contracts/events.js'
import { onceIn } from '@stoa/shared/process/logger.js'
import { pause } from '@stoa/shared/process/pause.js'
import { isRefusal } from '@stoa/shared/process/redis.js'
import type { Announcer } from './announcer.ts'
import { applyLive, dropUnserved, isWhole, type Marker, readMarker } from './hot-store.ts'
import { Lease } from './lease.ts'
import { NoRoom, type RebuildDeps, rebuild } from './rebuild.ts'
import { rebuildIsWanted } from './rebuild-state.ts'

interface WorkerDeps extends RebuildDeps {
  announcer: Announcer
  leaseMs: number
}

/** Events of one script, which may name 256 posts: it blocks Redis for about 3 ms. */
const BATCH_MAX = 256 / RANKED_TOGETHER_MAX
const RETRY_MS = 250
const WATCH_MS = 1_000
/** Redis looks for each key of each community, and does nothing else in that time. */
const LOOK_WHETHER_WHOLE_MS = 10_000
/** When Redis has no room for a rebuild, PostgreSQL must not be read again and again for it. */
const REBUILD_NO_ROOM_MS = 60_000
const WARN_EVERY_MS = 10_000

/**
 * Keeps the hot sets up to date. Every replica runs a worker; the one that holds the lease works,
 * and the others wait for the lease.
 */
export class Worker {
  readonly #deps: WorkerDeps
  readonly #lease: Lease
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>
  #rebuilding: Promise<void> | undefined
  /** The last position that Redis has confirmed. */
  #marker: Marker | undefined
  /** Ends the present reading of the stream, to start again from the marker. */
  #turn = new AbortController()
  readonly #mayWarn = onceIn(WARN_EVERY_MS)
  #noRoomUntil = 0
  readonly #mayRebuildDropped = onceIn(REBUILD_NO_ROOM_MS)

  constructor(deps: WorkerDeps) {
    this.#deps = deps
    this.#lease = new Lease(deps.store.redis, deps.store.keys.lease, deps.leaseMs)
    this.#done = this.#run(this.#stopping.signal)
  }

  /** Whether the hot order in Redis stands still, because Redis refuses writes. */
  get standsStill(): boolean {
    return this.#lease.isRefused
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#done
  }

  async #run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      if (await this.#lease.acquire().catch((error) => this.#notTaken(error))) {
        await this.#lead(stopping)
      }
      await pause(RETRY_MS, stopping)
    }
  }

  /**
   * The connection logs that Redis is away; this logs that it refuses. Redis may be full of what a
   * dead rebuild left, and then no worker could take the lease to remove that.
   */
  async #notTaken(error: unknown): Promise<false> {
    if (!isRefusal(error)) return false
    if (this.#mayWarn()) {
      this.#deps.log.warn({ err: error }, 'redis refuses writes: the hot order stands still')
    }
    await dropUnserved(this.#deps.store, this.#lease.token).catch(() => {})
    return false
  }

  async #lead(stopping: AbortSignal): Promise<void> {
    this.#deps.log.info('active')
    const lost = new AbortController()
    const signal = AbortSignal.any([stopping, lost.signal])
    signal.addEventListener('abort', () => this.#turn.abort(), { once: true })
    await Promise.all([this.#keepLease(lost, signal), this.#work(signal), this.#watch(signal)])
    await this.#rebuilding?.catch(() => {})
    await this.#lease.release().catch(() => {})
    this.#deps.log.info('not active any more')
  }

  async #keepLease(lost: AbortController, signal: AbortSignal): Promise<void> {
    let renewedAt = performance.now()
    while (!signal.aborted) {
      await pause(this.#deps.leaseMs / 3, signal)
      const asked = performance.now()
      const held = await this.#lease.acquire().catch(() => undefined)
      if (held) renewedAt = asked
      // A Redis that is away, or full, does not tell who holds the lease by now.
      if (held === false || performance.now() - renewedAt > this.#deps.leaseMs) lost.abort()
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.#turn = new AbortController()
        const marker = await readMarker(this.#deps.store)
        const isCurrent = marker && canResume(marker, await this.#streamState())
        if (isCurrent && (await isWhole(this.#deps.store))) await this.#follow(marker)
        else if (performance.now() < this.#noRoomUntil) await pause(WATCH_MS, signal)
        else if (isCurrent) await this.#rebuildDropped(signal)
        else await this.#rebuild(signal)
      } catch (error) {
        if (signal.aborted) return
        if (this.#mayWarn()) this.#deps.log.warn({ err: error }, 'interrupted')
        await pause(RETRY_MS, signal)
      }
    }
  }

  async #rebuildDropped(signal: AbortSignal): Promise<void> {
    if (!this.#mayRebuildDropped()) return pause(WATCH_MS, signal)
    this.#deps.log.warn('redis lacks keys of the hot order: it is rebuilt')
    await this.#rebuild(signal)
  }

  /** Returns when the turn is over: the lease is lost, or there is another marker or stream. */
  async #follow(marker: Marker): Promise<void> {
    const { bus, store, announcer } = this.#deps
    const turn = this.#turn
    let at = marker
    this.#marker = at
    await followStream({
      bus,
      stream: STREAMS.rank.name,
      event: rankPost,
      fromSeq: at.position + 1,
      batchMax: BATCH_MAX,
      signal: turn.signal,
      handle: async (events, lastSeq) => {
        const posts = events.flatMap(({ data }) => data.posts)
        const applied = await applyLive(store, this.#lease.token, at, posts, lastSeq)
        if (applied.outcome !== 'ok') return turn.abort()
        at = { ...at, position: lastSeq }
        this.#marker = at
        if (applied.communities.length > 0) announcer.changed(applied.communities)
      },
    })
  }

  /**
   * Notices what no event tells: a store that was wiped, lost its last second or dropped keys,
   * another stream, or a request for a rebuild.
   */
  async #watch(signal: AbortSignal): Promise<void> {
    const mayLook = onceIn(LOOK_WHETHER_WHOLE_MS)
    while (!signal.aborted) {
      await pause(WATCH_MS, signal)
      if (signal.aborted) return
      try {
        if (await rebuildIsWanted(this.#deps.store)) this.#rebuild(signal).catch(() => {})
        const known = this.#marker?.position ?? 0
        const marker = await readMarker(this.#deps.store)
        const isKept = marker && marker.position >= known
        if (!isKept || !canResume(marker, await this.#streamState())) this.#turn.abort()
        else if (mayLook() && !(await isWhole(this.#deps.store))) this.#turn.abort()
      } catch {
        // Redis or NATS is away, which is logged where they are used.
      }
    }
  }

  /** One rebuild at a time; afterwards the reading starts again from the new marker. */
  #rebuild(signal: AbortSignal): Promise<void> {
    this.#rebuilding ??= rebuild(this.#deps, this.#lease.token, signal)
      .then(() => this.#deps.announcer.changed([]))
      .catch((error: unknown) => {
        if (!signal.aborted && this.#mayWarn()) {
          this.#deps.log.warn({ err: error }, 'rebuild failed')
        }
        if (error instanceof NoRoom) this.#noRoomUntil = performance.now() + REBUILD_NO_ROOM_MS
        throw error
      })
      .finally(() => {
        this.#rebuilding = undefined
        this.#turn.abort()
      })
    return this.#rebuilding
  }

  #streamState(): Promise<StreamState> {
    return streamState(this.#deps.bus.nc, STREAMS.rank.name)
  }
}

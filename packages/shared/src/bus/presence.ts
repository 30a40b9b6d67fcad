import type { NatsConnection } from '@nats-io/nats-core'
import { type Logger, onceIn } from '../process/logger.ts'

export interface Watcher {
  lost?: () => void
  back?: () => void
}

/**
 * Services reconnect one by one: for this long after the bus is back, one may not be listening yet.
 */
const RETURNING_MS = 1_000
const WARN_EVERY_MS = 10_000

/** Whether the bus is there, as one connection sees it. */
export class Presence {
  #isUp = true
  #lostAt = 0
  #backAt = Number.NEGATIVE_INFINITY
  readonly #watchers = new Set<Watcher>()

  get isUp(): boolean {
    return this.#isUp
  }

  /** Whether other services may still be reconnecting. */
  get isReturning(): boolean {
    return performance.now() - this.#backAt < RETURNING_MS
  }

  /** Calls the watcher, after those added before it, until the returned function is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** Follows the connection until it is closed. Logs when the bus is away. */
  async follow(nc: NatsConnection, log?: Logger): Promise<void> {
    const mayWarn = onceIn(WARN_EVERY_MS)
    for await (const status of nc.status()) {
      if (status.type === 'disconnect' && this.#isUp) {
        this.#isUp = false
        this.#lostAt = performance.now()
        log?.warn({ server: nc.getServer() }, 'the bus is lost')
        for (const { lost } of this.#watchers) lost?.()
      }
      if (status.type === 'reconnect') {
        this.#isUp = true
        this.#backAt = performance.now()
        const awayMs = Math.round(this.#backAt - this.#lostAt)
        log?.info({ server: status.server, away_ms: awayMs }, 'the bus is back')
        for (const { back } of this.#watchers) back?.()
      }
      if (status.type === 'error' && mayWarn()) log?.warn({ err: status.error }, 'the bus refuses')
    }
    this.#isUp = false
  }
}

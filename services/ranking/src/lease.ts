import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { isRefusal } from '@stoa/shared/process/redis.js'
import type { Redis } from 'ioredis'
import { runScript } from './lua.ts'
import { RELEASE, RENEW } from './scripts.ts'

/**
 * The right to write, held by one worker at a time and lost when it is not renewed. Its token goes
 * with every write, so that a worker that lost the lease without noticing changes nothing.
 */
export class Lease {
  readonly token = randomToken()
  readonly #redis: Redis
  readonly #key: string
  readonly #ttlMs: number
  #isRefused = false

  constructor(redis: Redis, key: string, ttlMs: number) {
    this.#redis = redis
    this.#key = key
    this.#ttlMs = ttlMs
  }

  /** Whether Redis refused the last attempt to take or extend the lease, as a full one does. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Takes the lease when it is free, extends it when it is held; false when another holds it. */
  async acquire(): Promise<boolean> {
    try {
      const held = await this.#acquire()
      this.#isRefused = false
      return held
    } catch (error) {
      this.#isRefused = isRefusal(error)
      throw error
    }
  }

  async #acquire(): Promise<boolean> {
    const set = await this.#redis.set(this.#key, this.token, 'PX', this.#ttlMs, 'NX')
    if (set === 'OK') return true
    return (await runScript(this.#redis, RENEW, [this.#key], [this.token, this.#ttlMs])) === 1
  }

  async release(): Promise<void> {
    await runScript(this.#redis, RELEASE, [this.#key], [this.token])
  }
}

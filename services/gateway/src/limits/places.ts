import { AppError } from '@stoa/shared/errors/errors.js'

interface PlacesSettings {
  /** The most places in all; unbounded if absent. */
  max?: number
  perAddressMax: number
  /** After how many seconds a client that finds no place should ask again. */
  retrySeconds: number
}

/** Places for work that takes a while, counted in all and per client address. */
export class Places {
  readonly #settings: PlacesSettings
  readonly #byAddress = new Map<string, number>()
  #taken = 0

  constructor(settings: PlacesSettings) {
    this.#settings = settings
  }

  /**
   * Takes a place and returns a function that gives it back. Throws `rate_limited` if the address
   * has no more places, and `unavailable` if there is none for anybody.
   */
  take(address: string): () => void {
    const { max = Number.POSITIVE_INFINITY, perAddressMax, retrySeconds } = this.#settings
    const taken = this.#byAddress.get(address) ?? 0
    const details = { retry_after_seconds: retrySeconds }
    if (taken >= perAddressMax)
      throw new AppError('rate_limited', { reason: 'at_once', ...details })
    if (this.#taken >= max) throw new AppError('unavailable', details)
    this.#taken++
    this.#byAddress.set(address, taken + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#taken--
      const left = (this.#byAddress.get(address) ?? 1) - 1
      if (left > 0) this.#byAddress.set(address, left)
      else this.#byAddress.delete(address)
    }
  }
}

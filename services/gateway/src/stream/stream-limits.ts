import { AppError } from '@stoa/shared/errors.js'

const RETRY_SECONDS = 30

/** Counts open streams, in all and per client address. */
export class StreamLimits {
  readonly #max: number
  readonly #perAddressMax: number
  readonly #byAddress = new Map<string, number>()
  #open = 0

  constructor(max: number, perAddressMax: number) {
    this.#max = max
    this.#perAddressMax = perAddressMax
  }

  /** Takes a place and returns how to give it back. Throws `rate_limited` or `unavailable`. */
  take(address: string): () => void {
    const open = this.#byAddress.get(address) ?? 0
    const details = { retry_after_seconds: RETRY_SECONDS }
    if (open >= this.#perAddressMax) throw new AppError('rate_limited', details)
    if (this.#open >= this.#max) throw new AppError('unavailable', details)
    this.#open++
    this.#byAddress.set(address, open + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#open--
      const left = (this.#byAddress.get(address) ?? 1) - 1
      if (left > 0) this.#byAddress.set(address, left)
      else this.#byAddress.delete(address)
    }
  }
}

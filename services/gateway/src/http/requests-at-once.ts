import { Places } from '../limits/places.ts'
import type { Exchange } from './exchange.ts'
import { whenOver } from './when-over.ts'

/**
 * An eighth of what content takes in hand: a page of the largest feed costs it 10 ms, so whoever asks
 * for them all at once keeps the others waiting for less than a second.
 */
const PER_ADDRESS_MAX = 64
const RETRY_SECONDS = 1

/** Requests of one client that are answered at once, other than from what is kept. */
export interface RequestsAtOnce {
  /**
   * Takes a place until the answer was taken, or until what it returns is called. Throws
   * `rate_limited`.
   */
  take(exchange: Exchange): () => void
}

export function createRequestsAtOnce(isLimited: boolean): RequestsAtOnce {
  const perAddressMax = isLimited ? PER_ADDRESS_MAX : Number.POSITIVE_INFINITY
  const max = Number.POSITIVE_INFINITY
  const places = new Places({ max, perAddressMax, retrySeconds: RETRY_SECONDS })
  return {
    take: (exchange) => {
      const release = places.take(exchange.address)
      whenOver(exchange, release)
      return release
    },
  }
}

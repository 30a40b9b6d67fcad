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
   * Does what a request asks for in a place, which is given back when that is done and the answer was
   * taken: whoever hangs up at once has left the work behind. `leave` gives it back before. Throws
   * `rate_limited`, and what `work` throws.
   */
  during(exchange: Exchange, work: (leave: () => void) => Promise<void>): Promise<void>
}

export function createRequestsAtOnce(isLimited: boolean): RequestsAtOnce {
  const perAddressMax = isLimited ? PER_ADDRESS_MAX : Number.POSITIVE_INFINITY
  const max = Number.POSITIVE_INFINITY
  const places = new Places({ max, perAddressMax, retrySeconds: RETRY_SECONDS })
  return {
    during: async (exchange, work) => {
      const leave = places.take(exchange.address)
      try {
        await work(leave)
      } finally {
        whenOver(exchange, leave)
      }
    },
  }
}

import { Places } from '../limits/places.ts'
import type { Exchange } from './exchange.ts'
import { whenOver } from './when-over.ts'

const RETRY_SECONDS = 1

/**
 * Bounds the requests of one client that are in work together; small cached answers do not count.
 */
export interface RequestsAtOnce {
  /**
   * Does the work in a place of the client's. The place is given back when the work is done and the
   * answer was taken: a client that hangs up early leaves its work behind. `leave` gives it back
   * earlier. Throws `rate_limited`, and what `work` throws.
   */
  during(exchange: Exchange, work: (leave: () => void) => Promise<void>): Promise<void>
}

export function createRequestsAtOnce(perAddressMax: number): RequestsAtOnce {
  const places = new Places({ perAddressMax, retrySeconds: RETRY_SECONDS })
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

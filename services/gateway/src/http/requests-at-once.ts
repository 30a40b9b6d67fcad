import { Places } from '../limits/places.ts'
import type { Exchange } from './exchange.ts'
import { whenOver } from './when-over.ts'

const RETRY_SECONDS = 1

/** Requests of one client that are answered at once, other than with what is kept and small. */
export interface RequestsAtOnce {
  /**
   * Does what a request asks for in a place, which is given back when that is done and the answer was
   * taken: whoever hangs up at once has left the work behind. `leave` gives it back before. Throws
   * `rate_limited`, and what `work` throws.
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

import type { RawAnswer } from '@stoa/shared/bus/ask.js'
import type { Bus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { RawJson } from '@stoa/shared/bus/raw-json.js'
import { isUnheard } from '@stoa/shared/bus/replies.js'
import type { InputOf, OutputOf, RequestContract } from '@stoa/shared/contracts/contract.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { otherRelease } from '@stoa/shared/errors/errors.js'
import type { Breakers, Downstream } from './breakers.ts'

/** Asks a service over the bus, behind that service's circuit breaker. */
export type Ask = <C extends RequestContract>(
  contract: C,
  input: InputOf<C> | RawJson<InputOf<C>>,
  meta: Meta,
) => Promise<RawAnswer<OutputOf<C>>>

export function createAsk(bus: Bus, breakers: Breakers): Ask {
  return (contract, input, meta) =>
    breakers.run(contract.owner as Downstream, () =>
      bus.requestRaw(contract, input, meta).catch((error: unknown) => {
        if (!isUnheard(error)) throw error
        return askListening(bus, contract, input, meta, error)
      }),
    )
}

/**
 * Nobody hears a request if its service is away, or if the service is of a release that does not
 * know the request. Every release answers for its health, so a service that does so is not away.
 */
async function askListening<C extends RequestContract>(
  bus: Bus,
  contract: C,
  input: InputOf<C> | RawJson<InputOf<C>>,
  meta: Meta,
  unheard: unknown,
): Promise<RawAnswer<OutputOf<C>>> {
  await bus.request(serviceHealth[contract.owner], {}, meta).catch(() => {
    throw unheard
  })
  // The service may have come back in between.
  return bus.requestRaw(contract, input, meta).catch((error: unknown) => {
    throw isUnheard(error) ? otherRelease() : error
  })
}

import type { Bus, RawAnswer } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { InputOf, OutputOf, RequestContract } from '@stoa/shared/contracts/contract.js'
import type { Breakers, Downstream } from './breakers.ts'

/** Asks a service over the bus, behind that service's circuit breaker. */
export type Ask = <C extends RequestContract>(
  contract: C,
  input: InputOf<C>,
  meta: Meta,
) => Promise<RawAnswer>

export function createAsk(bus: Bus, breakers: Breakers): Ask {
  return (contract, input, meta) =>
    breakers.run(contract.owner as Downstream, () => bus.requestRaw(contract, input, meta))
}

/** The answer as a value, for the few places that look into it. */
export function parseAnswer<C extends RequestContract>(
  _contract: C,
  answer: Pick<RawAnswer, 'json'>,
): OutputOf<C> {
  return JSON.parse(Buffer.from(answer.json).toString()) as OutputOf<C>
}

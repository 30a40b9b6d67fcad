import type { EventContract, PayloadOf } from '../contracts/contract.ts'
import { uuidV7 } from '../identifiers/ids.ts'

/** A CloudEvents 1.0 event in its JSON form (cloudevents.io, structured mode). */
export interface CloudEvent<Data = unknown> {
  specversion: '1.0'
  id: string
  source: string
  type: string
  subject: string
  time: string
  datacontenttype: 'application/json'
  data: Data
}

/**
 * Wraps a fact for the bus. `subject` is the id of what it is about; `data` holds references,
 * absolute counters and visibility, never text that has not been scanned.
 */
export function cloudEvent<C extends EventContract>(
  contract: C,
  source: string,
  subject: string,
  data: PayloadOf<C>,
): CloudEvent<PayloadOf<C>> {
  return {
    specversion: '1.0',
    id: uuidV7(),
    source: `/stoa/${source}`,
    type: `dev.stoa.${contract.subject}`,
    subject,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data,
  }
}

/** The event that a message holds; undefined if the message is no event of this contract. */
export function parseEvent<C extends EventContract>(
  contract: C,
  message: { json<T>(): T },
): CloudEvent<PayloadOf<C>> | undefined {
  try {
    const event = message.json<CloudEvent>()
    return { ...event, data: contract.payload.parse(event.data) as PayloadOf<C> }
  } catch {
    return undefined
  }
}

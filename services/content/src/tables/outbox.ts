import { cloudEvent } from '@stoa/shared/bus/events.js'
import type { EventContract, PayloadOf } from '@stoa/shared/contracts/contract.js'
import { forumEvent, type Reference } from '@stoa/shared/contracts/events.js'
import type { ChangeEntry } from '../publication.ts'
import type { Transaction } from '../transaction.ts'

export interface OutboxEvent {
  id: string
  subject: string
  event: string
}

/** An event as it is kept until the relay has published it. */
export function outboxEvent<C extends EventContract>(
  contract: C,
  about: string,
  data: PayloadOf<C>,
): OutboxEvent {
  const event = cloudEvent(contract, 'content', about, data)
  return { id: event.id, subject: contract.subject, event: JSON.stringify(event) }
}

/** What an event tells of a thing in addition to its line of the change log. */
export type Told = Pick<Reference, 'agent_handle' | 'visibility' | 'revision'>

/** The event of a line of the change log, such as `post.published`. */
export function forumFact(entry: Omit<ChangeEntry, 'was'>, told: Told): OutboxEvent {
  const { type, target_id: id, post_id, community_slug } = entry
  const contract = { ...forumEvent, subject: `forum.${type}` }
  return outboxEvent(contract, id, { id, post_id, community_slug, ...told })
}

/**
 * Records facts in the transaction of the rows they speak about, so that neither can exist
 * without the other; the relay puts them on the bus later.
 */
export function appendEvents(tx: Transaction, events: OutboxEvent[]): void {
  if (events.length === 0) return
  tx.send(
    'append-events',
    `INSERT INTO outbox (id, subject, event)
     SELECT id, subject, event
     FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS e (id, subject, event, n)
     ORDER BY n`,
    [events.map((e) => e.id), events.map((e) => e.subject), events.map((e) => e.event)],
  )
}

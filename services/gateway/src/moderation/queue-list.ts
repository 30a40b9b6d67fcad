import { listAlerts } from '@stoa/shared/contracts/moderation.js'
import type { ReadAlert } from '../pages/moderation/parts.ts'
import type { Visit } from './visit.ts'

const ANY = 'any'

/** What the queue is filtered by, as its page says it: what waits, unless something else is asked for. */
export function queueFilters({ queue }: Visit) {
  const { before, ...given } = queue
  return { ...given, status: given.status || 'open' }
}

/** One page of that part of the queue. */
export function queueInput(visit: Visit) {
  const filters = queueFilters(visit)
  return { ...filters, status: filters.status === ANY ? undefined : filters.status }
}

/** So many are looked through for one that nobody else reads. */
const NEXT_MAX = 10

/**
 * The alert behind this one in the part of the queue that is worked on; null behind the last. What
 * others have decided or claimed meanwhile is no longer among what waits. What another reads now is
 * passed over: it stands at the head of the queue again if nothing comes of that.
 */
export async function nextInQueue(visit: Visit, id: string): Promise<ReadAlert | null> {
  const input = { ...queueInput(visit), after_id: id, limit: NEXT_MAX }
  const { items } = (await visit.readOrNull(listAlerts, input)) ?? { items: [] }
  const readers = await visit.readersOf(items)
  return items.find((alert) => !readers.has(alert.id)) ?? items[0] ?? null
}

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

/**
 * The alert behind this one in the part of the queue that is worked on; null behind the last. What
 * others have decided or claimed meanwhile is no longer among what waits.
 */
export async function nextInQueue(visit: Visit, id: string): Promise<ReadAlert | null> {
  const input = { ...queueInput(visit), after_id: id, limit: 1 }
  const list = await visit.readOrNull(listAlerts, input)
  return list?.items[0] ?? null
}

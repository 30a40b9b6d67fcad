import { getAlert, listAlerts } from '@stoa/shared/contracts/moderation.js'
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
 * others have decided or claimed meanwhile is no longer among what waits, and what another moderator has
 * to decide is not for this one. What another reads now is passed over: it stands at the head of the
 * queue again if nothing comes of that.
 */
export async function nextInQueue(visit: Visit, id: string): Promise<ReadAlert | null> {
  const input = { ...queueInput(visit), after_id: id, limit: NEXT_MAX }
  const { items } = (await visit.readOrNull(listAlerts, input)) ?? { items: [] }
  const [readers, ...areOpen] = await Promise.all([
    visit.readersOf(items),
    ...items.map((alert) => isOpenTo(visit, alert)),
  ])
  const open = items.filter((_alert, at) => areOpen[at])
  return open.find((alert) => !readers.has(alert.id)) ?? open[0] ?? null
}

/** Nobody decides about what is their own: only of these kinds it can be, and is asked for. */
async function isOpenTo(visit: Visit, alert: ReadAlert): Promise<boolean> {
  const { id, status, source, agent_handle: by, target } = alert
  const mayBeOwn = source === 'appeal' || target.type === 'flag' || by === visit.session.handle
  if (status === 'resolved' || !mayBeOwn) return true
  const read = await visit.readOrNull(getAlert, { id })
  // A content of the release before does not say by what an alert can be decided.
  return read?.actions === undefined || read.actions.length > 0
}

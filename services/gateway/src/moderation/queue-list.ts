import { getAlert, listAlerts } from '@stoa/shared/contracts/moderation.js'
import type { ReadAlert } from '../pages/moderation/parts.ts'
import type { Visit } from './visit.ts'

const ANY = 'any'

/** The filters of the queue, as its page shows them; only open alerts unless a status is given. */
export function queueFilters({ queue }: Visit) {
  const { before, ...given } = queue
  return { ...given, status: given.status || 'open' }
}

/** The input for one page of the filtered queue. */
export function queueInput(visit: Visit) {
  const filters = queueFilters(visit)
  return { ...filters, status: filters.status === ANY ? undefined : filters.status }
}

/** How many alerts are searched for one that nobody else reads. */
const NEXT_MAX = 10

/**
 * The alert after this one in the filtered queue, null after the last. Leaves out what others have
 * decided or claimed since, and what another moderator must decide. Prefers one that nobody else
 * reads: if nothing comes of the other's reading, that alert is at the head of the queue again.
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

/**
 * Whether this moderator may decide the alert. Nobody decides about their own content; only alerts
 * of these kinds can be about it, so only for them content is asked.
 */
async function isOpenTo(visit: Visit, alert: ReadAlert): Promise<boolean> {
  const { id, status, source, agent_handle: by, target } = alert
  const mayBeOwn = source === 'appeal' || target.type === 'flag' || by === visit.session.handle
  if (status === 'resolved' || !mayBeOwn) return true
  const read = await visit.readOrNull(getAlert, { id })
  // A content service of the previous release does not say how an alert can be decided.
  return read?.actions === undefined || read.actions.length > 0
}

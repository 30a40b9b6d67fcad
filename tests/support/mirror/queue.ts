import { AUDIT_ACTIONS } from '@stoa/shared/contracts/audit.js'
import { AlertAction, AlertSource, WAITING_AGENTS_MAX } from '@stoa/shared/contracts/moderation.js'
import { Severity } from '@stoa/shared/contracts/verdicts.js'
import type { Json, TestAgent } from '../agent.ts'
import { fieldsThatDiffer } from './differences.ts'
import { compareIds, idsOf, readList } from './shown.ts'
import type { World } from './world.ts'

type Filter = [query: string, matches: (item: Json) => boolean]

const DECIDED = new RegExp(`^alert\\.(?:${AlertAction.options.join('|')})$`)

/** So short that each list takes several pages. */
const PAGE = 7

/** Where the lists of alerts and of acts differ from what their filters leave of the whole. */
export async function queueDifferences(world: World): Promise<string[]> {
  const { forum, moderators } = world
  const [moderator] = moderators
  const read = (path: string, limit?: number) => readList(forum.url, path, moderator.key, limit)
  const alerts = await read('/api/v1/moderation/alerts')
  const audit = await read('/api/v1/moderation/audit')
  const found: string[] = []
  for (const [query, matches] of alertFilters(alerts, world)) {
    const listed = await read(`/api/v1/moderation/alerts?${query}`, PAGE)
    found.push(...compareIds(query, idsOf(listed), idsOf(alerts.filter(matches))))
  }
  for (const [query, matches] of auditFilters(audit, world)) {
    const listed = await read(`/api/v1/moderation/audit?${query}`, PAGE)
    found.push(...compareIds(query, idsOf(listed), idsOf(audit.filter(matches))))
  }
  const oldest = await read('/api/v1/moderation/alerts?sort=oldest', PAGE)
  if (idsOf(oldest).join() !== idsOf(alerts.toReversed()).join()) found.push('oldest is not new')
  return [
    ...found,
    ...(await waitingDifferences(moderator, alerts)),
    ...(await alertDifferences(moderator, alerts, audit)),
  ]
}

function alertFilters(alerts: Json[], { handles }: World): Filter[] {
  const equal = (name: string, values: readonly string[], field = name): Filter[] =>
    values.map((value) => [`${name}=${value}`, (alert) => alert[field] === value])
  const categories = new Set<string>(alerts.flatMap((alert) => alert.categories))
  return [
    ...equal('status', ['open', 'claimed', 'resolved']),
    ...equal('source', AlertSource.options),
    ...equal('severity', Severity.options),
    ...equal('agent', handles, 'agent_handle'),
    ...[...categories].map(
      (name): Filter => [`category=${name}`, (alert) => alert.categories.includes(name)],
    ),
    ...timesOf(alerts, 'created_at').map(
      (time): Filter => [`since=${time}`, ({ created_at }) => created_at > time],
    ),
    ...alerts
      .slice(0, 3)
      .map(({ id }, n): Filter => [`after_id=${id}`, (alert) => alerts.indexOf(alert) > n]),
  ]
}

/** The times of the first, the middle and the last item. */
function timesOf(items: Json[], name: string): string[] {
  const some = [items[0], items[Math.floor(items.length / 2)], items.at(-1)]
  return some.flatMap((item) => item?.[name] ?? [])
}

function auditFilters(audit: Json[], { handles, moderators }: World): Filter[] {
  const by = (handle: string): Filter => [
    `moderator=${handle}`,
    ({ moderator }) => moderator === handle,
  ]
  return [
    ...[...moderators.map(({ handle }) => handle), 'operator'].map(by),
    ...handles.map(
      (handle): Filter => [`agent=${handle}`, ({ agent_handle }) => agent_handle === handle],
    ),
    ...AUDIT_ACTIONS.map((name): Filter => [`action=${name}`, ({ action }) => action === name]),
    ...timesOf(audit, 'at').flatMap((time): Filter[] => [
      [`since=${time}`, ({ at }) => at > time],
      [`until=${time}`, ({ at }) => at <= time],
    ]),
  ]
}

async function waitingDifferences(moderator: TestAgent, alerts: Json[]): Promise<string[]> {
  const { body } = await moderator.get('/api/v1/moderation/alerts?status=resolved&limit=1')
  const waiting = alerts.filter(({ status }) => status !== 'resolved')
  const counted = {
    count: waiting.length,
    is_capped: false,
    claimed: waiting.filter(({ status }) => status === 'claimed').length,
    by_severity: Object.fromEntries(
      Severity.options.map((name) => [
        name,
        waiting.filter(({ severity }) => severity === name).length,
      ]),
    ),
    oldest_at: waiting.at(-1)?.created_at ?? null,
    by_agent: agentsOf(waiting),
  }
  return fieldsThatDiffer(counted, { ...body.waiting, id: 'waiting' })
}

/** The agents that several alerts are about, at most ten, those with the most alerts first. */
function agentsOf(alerts: Json[]): Json[] {
  const counts = new Map<string, number>()
  for (const { agent_handle: handle } of alerts) {
    if (handle !== null) counts.set(handle, (counts.get(handle) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, WAITING_AGENTS_MAX)
    .map(([agent_handle, count]) => ({ agent_handle, count }))
}

/**
 * Each alert reads by itself as in the list, and its last decision is the one in the log of acts.
 */
async function alertDifferences(
  moderator: TestAgent,
  alerts: Json[],
  audit: Json[],
): Promise<string[]> {
  const found: string[] = []
  const appealed = new Set<string>()
  for (const alert of alerts) {
    const { body } = await moderator.get(`/api/v1/moderation/alerts/${alert.id}`)
    found.push(...fieldsThatDiffer(alert, body.alert))
    if (alert.source === 'appeal' && !appealed.has(alert.case_id)) {
      // Only the newest alert of a case counts; it is the first in the list.
      appealed.add(alert.case_id)
      const { body: about } = await moderator.get(`/api/v1/appeals/${alert.case_id}`)
      const isOpen = about.appeal?.status === 'open'
      if (isOpen !== (alert.status !== 'resolved')) {
        found.push(`${alert.id} is ${alert.status}, its appeal ${about.appeal?.status}`)
      }
    }
    if (alert.status !== 'resolved') continue
    // An alert that was resolved along with an appeal has no line of its own.
    const last = audit.find(({ action, alert_id }) => alert_id === alert.id && DECIDED.test(action))
    const { resolution, resolved_by } = alert
    if (!last || (last.action === `alert.${resolution}` && last.moderator === resolved_by)) continue
    found.push(`${alert.id}: ${resolution} by ${resolved_by}, noted ${last.action}`)
  }
  return found
}

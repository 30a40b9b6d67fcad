import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { Alert, listAlerts, Waiting } from '@stoa/shared/contracts/moderation.js'
import { Severity } from '@stoa/shared/contracts/verdicts.js'
import type { Query } from '../transaction.ts'
import { type CurrentAlertRow, SELECT_CURRENT_ALERTS } from './alerts.ts'

type AlertFilter = Omit<InputOf<typeof listAlerts>, 'after_id' | 'before' | 'limit'>

/**
 * SQL: whether rule `$10` found something. `strpos` rules most alerts out at half the cost of
 * parsing.
 */
const IS_BY_RULE = `strpos(l.findings::text, $10) > 0 AND EXISTS (
         SELECT 1 FROM json_array_elements(l.findings) AS f WHERE f ->> 'rule' = $10)`

/**
 * The conditions under which an index has the order of the list, in `alerts l` or `alert_marks m`.
 * The filters that fewest alerts pass come first.
 */
const WALKED = {
  agent: { table: 'l', condition: 'l.agent_handle = $9' },
  rule: { table: 'm', condition: 'm.mark = $10' },
  moderator: { table: 'l', condition: 'l.resolved_by = $11' },
  category: { table: 'm', condition: 'm.mark = $2' },
  source: { table: 'l', condition: 'l.source = $4' },
  severity: { table: 'l', condition: 'l.severity = $3' },
  status: { table: 'l', condition: 'l.status = $1' },
}
type Walked = keyof typeof WALKED

/** Where a walk along an index begins, and in which direction it goes on. */
const WALKS = {
  new: { start: 'infinity', behind: '<', order: 'DESC' },
  oldest: { start: '-infinity', behind: '>', order: 'ASC' },
}

/**
 * Newest or oldest first; `position` is the time in milliseconds and the id of the last alert seen.
 * A condition that a null parameter can switch off does not bound a walk, so each filter that is
 * walked has its own statement.
 */
export function listAlertRows(
  query: Query,
  filter: AlertFilter,
  position: readonly [number, string] | undefined,
  limit: number,
): Promise<CurrentAlertRow[]> {
  const walked = walkedOf(filter)
  const { table: t, condition } = walked ? WALKED[walked] : { table: 'l', condition: 'true' }
  const { sort } = filter
  const { start, behind, order } = WALKS[sort]
  return query.rows(
    `list-alerts-${sort}-by-${walked ?? 'time'}`,
    `${SELECT_CURRENT_ALERTS} ${t === 'm' ? 'JOIN alert_marks m ON m.id = l.id' : ''}
     WHERE ${condition} AND ($1::text IS NULL OR l.status = $1)
       AND ($2::text IS NULL OR $2 = ANY(l.categories))
       AND ($3::text IS NULL OR l.severity = $3)
       AND ($4::text IS NULL OR l.source = $4)
       AND ($9::text IS NULL OR l.agent_handle = $9)
       AND ($10::text IS NULL OR ${IS_BY_RULE})
       AND ($11::text IS NULL OR l.resolved_by = $11)
       AND ${t}.created_at > coalesce($5::timestamptz, '-infinity')
       AND (${t}.created_at, ${t}.id) ${behind}
         (coalesce(to_timestamp($6::bigint / 1000.0), '${start}'), $7::text)
     ORDER BY ${t}.created_at ${order}, ${t}.id ${order} LIMIT $8`,
    [
      filter.status ?? null,
      filter.category ?? null,
      filter.severity ?? null,
      filter.source ?? null,
      filter.since ?? null,
      position?.[0] ?? null,
      position?.[1] ?? '',
      limit,
      filter.agent ?? null,
      filter.rule ?? null,
      filter.moderator ?? null,
    ],
  )
}

/** The filter to walk by. Alerts that wait are few, though seldom fewer than those about an agent. */
function walkedOf(filter: AlertFilter): Walked | undefined {
  if (filter.status && filter.status !== 'resolved' && !filter.agent) return 'status'
  return (Object.keys(WALKED) as Walked[]).find((name) => filter[name] !== undefined)
}

export interface WaitingRow {
  severity: Alert['severity']
  count: number
  claimed: number
  oldest_at: number | null
}

/**
 * The unresolved alerts, counted by severity: at most `max` of each, the oldest, to bound the walk.
 */
export function countWaiting(query: Query, max: number): Promise<WaitingRow[]> {
  return query.rows(
    'count-waiting',
    `SELECT s.severity, w.* FROM unnest($1::text[]) AS s (severity), LATERAL (
       SELECT count(*)::int AS count, count(*) FILTER (WHERE status = 'claimed')::int AS claimed,
         min(created_at) AS oldest_at
       FROM (SELECT l.status, l.created_at FROM alerts l
         WHERE l.status <> 'resolved' AND l.severity = s.severity
         ORDER BY l.created_at LIMIT $2) AS oldest) AS w`,
    [Severity.options, max],
  )
}

/**
 * The agents that several unresolved alerts are about, counted among the newest 500 of each
 * severity.
 */
export function countWaitingByAgent(query: Query, agentsMax: number) {
  return query.rows<Waiting['by_agent'][number]>(
    'count-waiting-by-agent',
    `SELECT w.agent_handle, count(*)::int AS count FROM unnest($1::text[]) AS s (severity), LATERAL (
       SELECT l.agent_handle FROM alerts l WHERE l.status <> 'resolved' AND l.severity = s.severity
       ORDER BY l.created_at DESC LIMIT 500) AS w
     WHERE w.agent_handle IS NOT NULL GROUP BY 1 HAVING count(*) > 1
     ORDER BY 2 DESC, 1 LIMIT $2`,
    [Severity.options, agentsMax],
  )
}

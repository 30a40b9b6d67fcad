import type { TargetType } from '@stoa/shared/contracts/common.js'
import type { Alert, CurrentAlert } from '@stoa/shared/contracts/moderation.js'
import type { Query, Transaction } from '../transaction.ts'
import { titleOfPost, titleOfTarget, visibilityOfTarget } from './targets.ts'

/** An alert as stored, with its appeal and the community slug that its target's address needs. */
export interface AlertRow
  extends Omit<Alert, 'target' | 'created_at' | 'claimed_until' | 'resolved_at'> {
  target_type: TargetType
  target_id: string
  community_slug: string | null
  /** What the author says, if an appeal raised the alert. */
  appeal_reason: string | null
  /** The author of the text has deleted the account, and the text with it. */
  is_deleted: boolean
  created_at: number
  claimed_at: number | null
  resolved_at: number | null
  /** When the row was read, by the same clock as the times above. */
  read_at: number
}

/** A locked alert, with the time of its resolution if it is resolved now. */
export interface LockedAlertRow extends AlertRow {
  ends_at: number
}

/** An alert with the present visibility of its text, and a title. */
export interface CurrentAlertRow extends AlertRow, Pick<CurrentAlert, 'visibility'> {
  title: string | null
}

/**
 * SQL: whether the text went with its author's account. A community stays when its founder goes,
 * but a proposed text of it that never was public is gone with its case.
 */
const IS_DELETED = `a.status IS NOT DISTINCT FROM 'deleted' AND (c.id IS NULL OR EXISTS (
    SELECT 1 FROM submissions d WHERE d.id = l.case_id AND d.visibility IN ('deleted', 'superseded')))`

/**
 * A waiting community is also shown at the address it proposes, unless another one has that slug.
 */
const PROPOSED_SLUG = `CASE WHEN l.target_type = 'community' THEN (
    SELECT s.document ->> 'slug' FROM submissions s WHERE s.id = l.case_id
      AND NOT EXISTS (SELECT 1 FROM communities t WHERE t.slug = s.document ->> 'slug')) END`

const COLUMNS = `l.*, clock_timestamp() AS read_at,
    coalesce(c.slug, ${PROPOSED_SLUG}) AS community_slug,
    p.reason AS appeal_reason, ${IS_DELETED} AS is_deleted`

const TABLES = `alerts l LEFT JOIN communities c ON c.id = l.target_id
    LEFT JOIN appeals p ON p.alert_id = l.id
    LEFT JOIN agents a ON a.handle = l.agent_handle`

/**
 * Flags newer than a resolution call moderators again, so an alert raised by flags is resolved no
 * earlier than its newest flag, even if the clock was set back.
 */
const SELECT_ALERTS = `
  SELECT ${COLUMNS}, CASE l.source WHEN 'flags' THEN greatest(clock_timestamp(),
    (SELECT max(f.created_at) FROM flags f WHERE f.target_id = l.target_id))
    ELSE clock_timestamp() END AS ends_at
  FROM ${TABLES}`

/**
 * The case holds the visibility of a text that is not public; later decisions about a text that was
 * public are written to its target. The appeal of a suspension has a case without a text. Only the
 * case holds the title of a waiting text, and the post of a waiting comment.
 */
export const SELECT_CURRENT_ALERTS = `
  SELECT ${COLUMNS}, CASE WHEN l.source = 'appeal' AND s.id IS NULL THEN NULL
    ELSE coalesce(nullif(s.visibility, 'public'),
      ${visibilityOfTarget('l.target_type', 'l.target_id')}) END AS visibility,
    coalesce(s.document ->> 'title', ${titleOfPost('s.post_id')},
      ${titleOfTarget('l.target_type', 'l.target_id')}) AS title
  FROM ${TABLES} LEFT JOIN submissions s ON s.id = l.case_id`

export async function findAlert(query: Query, id: string): Promise<CurrentAlertRow | undefined> {
  const [row] = await query.rows<CurrentAlertRow>(
    'find-alert',
    `${SELECT_CURRENT_ALERTS} WHERE l.id = $1`,
    [id],
  )
  return row
}

export function findAlerts(query: Query, ids: string[]): Promise<CurrentAlertRow[]> {
  return query.rows('find-alerts', `${SELECT_CURRENT_ALERTS} WHERE l.id = ANY($1)`, [ids])
}

/** Ids of those of these alerts whose texts have gone with their authors' accounts. */
export async function findDeletedAlerts(query: Query, ids: string[]): Promise<Set<string>> {
  const rows = await query.rows<{ id: string }>(
    'find-deleted-alerts',
    `SELECT l.id FROM ${TABLES} WHERE l.id = ANY($1) AND ${IS_DELETED}`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

export async function lockAlert(tx: Transaction, id: string): Promise<LockedAlertRow | undefined> {
  const [row] = await tx.rows<LockedAlertRow>(
    'lock-alert',
    `${SELECT_ALERTS} WHERE l.id = $1 FOR UPDATE OF l`,
    [id],
  )
  return row
}

/**
 * The unresolved alerts about this case and, if `targetId` is given, about all cases whose texts
 * that target made public.
 */
export function lockOpenAlerts(
  tx: Transaction,
  caseId: string,
  targetId: string | null,
): Promise<LockedAlertRow[]> {
  return tx.rows(
    'lock-open-alerts',
    `${SELECT_ALERTS} WHERE l.status <> 'resolved' AND l.case_id = ANY(ARRAY(
       SELECT $1 UNION ALL
       SELECT id FROM submissions WHERE target_id = $2 AND visibility = 'public'))
     ORDER BY l.id FOR UPDATE OF l`,
    [caseId, targetId],
  )
}

/** The alerts of an agent's open appeals: those about `caseIds`, or all of them if it is null. */
export function lockAlertsOfAppeals(
  tx: Transaction,
  agentId: string,
  caseIds: string[] | null,
): Promise<LockedAlertRow[]> {
  return tx.rows(
    'lock-alerts-of-appeals',
    `${SELECT_ALERTS} WHERE l.source = 'appeal' AND l.status <> 'resolved' AND l.case_id = ANY(ARRAY(
       SELECT case_id FROM appeals
       WHERE agent_id = $1 AND ($2::text[] IS NULL OR case_id = ANY($2)) AND status = 'open'))
     ORDER BY l.id FOR UPDATE OF l`,
    [agentId, caseIds],
  )
}

/**
 * The unresolved alerts about texts that went with this agent's account, after `after` in the order
 * of their times and ids: at most `max`, and where to go on if there may be more.
 */
export async function lockDeletedAlerts(
  tx: Transaction,
  agentId: string,
  after: AlertPlace,
  max: number,
): Promise<{ alerts: LockedAlertRow[]; next: AlertPlace | null }> {
  const found = await tx.rows<{ at: string; id: string }>(
    'waiting-alerts-of-deleted',
    `SELECT l.created_at::text AS at, l.id FROM ${TABLES}
     WHERE l.agent_handle = (SELECT handle FROM agents WHERE id = $1) AND l.status <> 'resolved'
       AND ${IS_DELETED} AND (l.created_at, l.id) > ($2::timestamptz, $3)
     ORDER BY l.created_at, l.id LIMIT $4`,
    [agentId, after.at, after.id, max],
  )
  const alerts = await tx.rows<LockedAlertRow>(
    'lock-waiting-alerts',
    `${SELECT_ALERTS} WHERE l.id = ANY($1) AND l.status <> 'resolved' ORDER BY l.id FOR UPDATE OF l`,
    [found.map(({ id }) => id)],
  )
  return { alerts, next: found.length === max ? (found.at(-1) ?? null) : null }
}

/** An alert's time, as PostgreSQL writes it, and its id. */
export interface AlertPlace {
  at: string
  id: string
}

/** The time of resolution is the database's, like that of flags. */
export function saveResolution(tx: Transaction, row: AlertRow): void {
  tx.send(
    'save-resolution',
    `UPDATE alerts SET status = 'resolved', resolved_by = $2, resolution = $3, note = $4,
       resolved_at = to_timestamp($5::bigint / 1000.0) WHERE id = $1`,
    [row.id, row.resolved_by, row.resolution, row.note, row.resolved_at],
  )
}

import type { AuditAction, listAudit } from '@stoa/shared/contracts/audit.js'
import type { TargetType } from '@stoa/shared/contracts/common.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import type { Query, Transaction } from '../transaction.ts'
import type { AlertRow } from './alerts.ts'

interface Act {
  /** Handle of a moderator, or `operator` for the command line. */
  moderator: string
  action: AuditAction
  /** By default the kind that `target_id` names. */
  target_type?: TargetType
  target_id: string
  /** Whose account or text the act is about; null if it belongs to nobody. */
  agent_handle: string | null
  alert_id?: string | null
  note?: string
}

export interface AuditRow extends Required<Act> {
  seq: number
  at: number
}

/** Appends one line to the log that nobody can change, in the transaction of the act it records. */
export function recordAct(tx: Transaction, act: Act): void {
  tx.send(
    'record-act',
    `INSERT INTO audit (at, moderator, action, target_type, target_id, agent_handle,
       alert_id, note)
     VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7)`,
    [
      act.moderator,
      act.action,
      act.target_type ?? kindOfId(act.target_id),
      act.target_id,
      act.agent_handle,
      act.alert_id ?? null,
      act.note ?? '',
    ],
  )
}

/** The same for an act on an alert, which is recorded with the alert's target and agent. */
export function recordAlertAct(
  tx: Transaction,
  alert: Pick<AlertRow, 'id' | 'target_type' | 'target_id' | 'agent_handle'>,
  act: Pick<Act, 'moderator' | 'action' | 'note'>,
): void {
  const { id: alert_id, target_type, target_id, agent_handle } = alert
  recordAct(tx, { ...act, alert_id, target_type, target_id, agent_handle })
}

type ActFilter = Omit<InputOf<typeof listAudit>, 'before' | 'limit'>

/** The filters and their columns. Each column has an index in the order of the log. */
const COLUMNS = { agent: 'agent_handle', moderator: 'moderator', action: 'action' } as const
const FILTERS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/** Callers see times in milliseconds; the log stores them more precisely. */
const NEXT_MS = `interval '1 millisecond'`

/**
 * Newest first, starting before the line numbered `before`. A condition that a null parameter can
 * switch off does not bound a walk, so each set of filters has its own statement.
 */
export function listActs(
  query: Query,
  filter: ActFilter,
  before: number | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const conditions = FILTERS.map((name, index) =>
    filter[name] ? `${COLUMNS[name]} = $${index + 1}` : `$${index + 1}::text IS NULL`,
  )
  return query.rows(
    ['list-acts', ...FILTERS.filter((name) => filter[name])].join('-by-'),
    `SELECT * FROM audit
     WHERE ${conditions.join(' AND ')}
       AND at >= coalesce($4::timestamptz + ${NEXT_MS}, '-infinity')
       AND at < coalesce($5::timestamptz + ${NEXT_MS}, 'infinity')
       AND (at, seq) < (CASE WHEN $6::bigint IS NULL THEN 'infinity'
         ELSE (SELECT at FROM audit WHERE seq = $6) END, coalesce($6, 0))
     ORDER BY at DESC, seq DESC LIMIT $7`,
    [
      ...FILTERS.map((name) => filter[name] ?? null),
      ...[filter.since ?? null, filter.until ?? null],
      ...[before ?? null, limit],
    ],
  )
}

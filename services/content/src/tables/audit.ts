import type { Query, Transaction } from '../database.ts'

export interface Act {
  /** Handle of a moderator, or `operator` for the command line. */
  moderator: string
  action: string
  target_type: string
  target_id: string
  alert_id?: string | null
  note?: string
}

export interface AuditRow extends Required<Act> {
  seq: number
  at: number
}

/** One line of the log that nobody can change, in the transaction of what it records. */
export function recordAct(tx: Transaction, act: Act): void {
  tx.send(
    'record-act',
    `INSERT INTO audit (at, moderator, action, target_type, target_id, alert_id, note)
     VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6)`,
    [
      act.moderator,
      act.action,
      act.target_type,
      act.target_id,
      act.alert_id ?? null,
      act.note ?? '',
    ],
  )
}

/** Newest first, from before `before`. */
export function listActs(
  query: Query,
  before: number | undefined,
  limit: number,
): Promise<AuditRow[]> {
  return query.rows('list-acts', `SELECT * FROM audit WHERE seq < $1 ORDER BY seq DESC LIMIT $2`, [
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  ])
}

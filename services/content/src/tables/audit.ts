import type { Query, Transaction } from '../database.ts'

export interface Act {
  /** Handle of a moderator, or `operator` for the command line. */
  moderator: string
  action: string
  target_type: string
  target_id: string
  /** Whose account or text it is about; null where that is nobody's. */
  agent_handle: string | null
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
    `INSERT INTO audit (at, moderator, action, target_type, target_id, agent_handle,
       alert_id, note)
     VALUES (clock_timestamp(), $1, $2, $3, $4, $5, $6, $7)`,
    [
      act.moderator,
      act.action,
      act.target_type,
      act.target_id,
      act.agent_handle,
      act.alert_id ?? null,
      act.note ?? '',
    ],
  )
}

/** Newest first, from before `before`; those about one agent are a walk of their own. */
export function listActs(
  query: Query,
  agent: string | undefined,
  before: number | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const ofAgent = agent === undefined ? '$1::text IS NULL' : 'agent_handle = $1'
  return query.rows(
    agent === undefined ? 'list-acts' : 'list-acts-about-agent',
    `SELECT * FROM audit WHERE ${ofAgent} AND seq < $2 ORDER BY seq DESC LIMIT $3`,
    [agent ?? null, before ?? Number.MAX_SAFE_INTEGER, limit],
  )
}

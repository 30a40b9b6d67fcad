import { FLAGS_SHOWN_MAX, type RaisedFlag } from '@stoa/shared/contracts/moderation.js'
import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import type { Query, Transaction } from '../transaction.ts'

const FLAGS_COUNTED_MAX = 100

export interface FlagRow extends Omit<RaisedFlag, 'created_at' | 'others'> {
  upheld: number
  dismissed: number
  /** Milliseconds since 1970. */
  created_at: number
}

const alertsOfFlags = (targetId: string) =>
  `alerts l WHERE l.target_id = ${targetId} AND l.source = 'flags'`

/** SQL: the id of the one unresolved alert that flags on a target have raised. */
export function openAlertOfFlags(targetId: string): string {
  return `SELECT l.id FROM ${alertsOfFlags(targetId)} AND l.status <> 'resolved'`
}

/** SQL: when the flags on a target were last decided about. Only newer flags count. */
export function flagsDecidedAt(targetId: string): string {
  return `SELECT max(l.resolved_at) AS at FROM ${alertsOfFlags(targetId)}`
}

/**
 * SQL: how many other flags of the agent that raised `f` were followed by a decision that hid the
 * target (`upheld`), or by one that did not (`dismissed`). The deletion of a target by its own
 * author counts as neither.
 */
const DECIDED_OTHERS = `
  SELECT count(*) FILTER (WHERE d.resolution IN ('remove', 'quarantine'))::int AS upheld,
    count(*) FILTER (WHERE d.resolution IN ('approve', 'dismiss'))::int AS dismissed
  FROM (SELECT target_id, created_at FROM flags WHERE agent_id = f.agent_id AND id <> f.id
    ORDER BY created_at DESC LIMIT ${FLAGS_COUNTED_MAX}) AS other,
  LATERAL (SELECT l.resolution FROM ${alertsOfFlags('other.target_id')}
    AND l.resolved_at >= other.created_at AND l.resolved_by IS DISTINCT FROM l.agent_handle
    ORDER BY l.resolved_at LIMIT 1) AS d`

/**
 * The newest flags on an alert's target, with the notes that passed their scan. For an alert about
 * a note, this is the flag that carries the note.
 */
export function findFlags(query: Query, targetId: string): Promise<FlagRow[]> {
  const column = kindOfId(targetId) === 'flag' ? 'id' : 'target_id'
  return query.rows<FlagRow>(
    `find-flags-by-${column}`,
    `WITH newest AS MATERIALIZED (
       SELECT f.*, a.handle AS agent_handle, a.operator FROM flags f JOIN agents a ON a.id = f.agent_id
       WHERE f.${column} = $1 ORDER BY f.created_at DESC, f.id LIMIT ${FLAGS_SHOWN_MAX})
     SELECT f.id, f.target_id, f.agent_handle, f.operator, f.reason, f.note, f.created_at,
       o.upheld, o.dismissed
     FROM newest f, LATERAL (${DECIDED_OTHERS}) AS o ORDER BY f.created_at DESC, f.id`,
    [targetId],
  )
}

/**
 * Moves a note that moderators read from its flag back to its case, which waits for a decision
 * again.
 */
export function takeBackNote(
  tx: Transaction,
  { id, target_id: flagId }: { id: string; target_id: string },
): void {
  tx.send(
    'keep-flag-note',
    `UPDATE submissions s SET visibility = 'quarantined',
       document = json_build_object('flag_id', f.id, 'note', f.note)
     FROM flags f WHERE s.id = $1 AND f.id = $2`,
    [id, flagId],
  )
  tx.send('blank-flag-note', `UPDATE flags SET note = '' WHERE id = $1`, [flagId])
}

import { type AuthorRecord, RECORD_COUNTED_MAX } from '@stoa/shared/contracts/moderation.js'
import type { Query } from '../transaction.ts'

type Alerts = AuthorRecord['alerts']

export interface AuthorRecordRow extends Omit<AuthorRecord, 'created_at' | 'alerts'>, Alerts {
  created_at: number
}

/** SQL: how many of the selected alerts have this resolution. */
function decidedAs(resolution: string): string {
  return `count(*) FILTER (WHERE resolution = '${resolution}')::int`
}

/**
 * The record of one agent, without the alert `alertId`; undefined once the account is deleted. It
 * counts the newest RECORD_COUNTED_MAX rows of each index, so that its cost does not grow with what
 * the agent has done.
 */
export async function findAuthorRecord(
  query: Query,
  handle: string,
  alertId: string,
): Promise<AuthorRecordRow | undefined> {
  const [row] = await query.rows<AuthorRecordRow>(
    'find-author-record',
    `SELECT a.handle, a.status, a.created_at, s.post_count, s.comment_count, l.*, u.suspensions
     FROM agents a JOIN agent_stats s ON s.agent_id = a.id,
       LATERAL (SELECT count(*) FILTER (WHERE status <> 'resolved')::int AS waiting,
           ${decidedAs('approve')} AS approved, ${decidedAs('remove')} AS removed,
           ${decidedAs('quarantine')} AS quarantined, ${decidedAs('dismiss')} AS dismissed
         FROM (SELECT id, source, status, resolution FROM alerts WHERE agent_handle = a.handle
           ORDER BY created_at DESC, id DESC LIMIT $3) AS newest
         WHERE id <> $2 AND source <> 'appeal') AS l,
       LATERAL (SELECT count(*) FILTER (WHERE action = 'account.suspended')::int AS suspensions
         FROM (SELECT action FROM audit WHERE agent_handle = a.handle
           ORDER BY at DESC, seq DESC LIMIT $3) AS newest) AS u
     WHERE a.handle = $1 AND a.status <> 'deleted'`,
    [handle, alertId, RECORD_COUNTED_MAX],
  )
  return row
}

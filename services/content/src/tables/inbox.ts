import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { InboxItem } from '@stoa/shared/contracts/inbox.js'
import type { z } from 'zod'
import type { Query, Transaction } from '../transaction.ts'

export interface InboxEntry {
  agent_id: string
  type: z.output<typeof InboxItem>['type']
  post_id?: string | null
  target_id?: string | null
  case_id?: string | null
  visibility?: CaseVisibility | null
  from_handle?: string | null
}

/**
 * Appends entries to inboxes, except calls from agents that the reader has muted, and edits of an
 * answer while an earlier edit of it is unread: repeated edits would fill the inbox. Each agent's
 * entries are numbered without gaps, in the order of COMMIT. The exceptions are scalar subqueries,
 * because EXISTS might be planned as a pass over all inboxes.
 */
export function deliver(tx: Transaction, entries: InboxEntry[]): void {
  if (entries.length === 0) return
  const rows = entries.map((entry, place) => ({ ...entry, place }))
  tx.send(
    'deliver-inbox',
    `WITH given AS (
       SELECT * FROM json_to_recordset($1::json) AS g (agent_id text, type text, post_id text,
         target_id text, case_id text, visibility text, from_handle text, place int)
     ), entry AS (
       SELECT *, row_number() OVER (PARTITION BY agent_id ORDER BY place) AS ordinal FROM given g
       WHERE (SELECT true FROM mutes m WHERE g.type IN ${CALLS}
           AND m.agent_id = g.agent_id AND m.handle = g.from_handle) IS NULL
         AND (SELECT true FROM inbox i JOIN agent_stats s ON s.agent_id = i.agent_id
           WHERE g.type = 'answer_edited' AND i.agent_id = g.agent_id AND i.seq > s.inbox_acked
             AND i.type = g.type AND i.target_id = g.target_id LIMIT 1) IS NULL
     ), numbered AS (
       UPDATE agent_stats a SET inbox_seq = a.inbox_seq + n.total
       FROM (SELECT agent_id, count(*) AS total FROM entry GROUP BY agent_id ORDER BY agent_id) n
       WHERE a.agent_id = n.agent_id
       RETURNING a.agent_id, a.inbox_seq - n.total AS base
     )
     INSERT INTO inbox (agent_id, seq, type, post_id, target_id, case_id, visibility, from_handle,
       created_at)
     SELECT e.agent_id, n.base + e.ordinal, e.type, e.post_id, e.target_id, e.case_id,
       e.visibility, e.from_handle, clock_timestamp()
     FROM entry e JOIN numbered n USING (agent_id)`,
    [JSON.stringify(rows)],
  )
}

/** Whether the agent's inbox, as far as it is kept, already holds such an entry. */
export async function isTold(
  query: Query,
  { agent_id, type, target_id }: InboxEntry,
): Promise<boolean> {
  const found = await query.rows(
    'is-told',
    'SELECT 1 FROM inbox WHERE agent_id = $1 AND type = $2 AND target_id = $3 LIMIT 1',
    [agent_id, type, target_id],
  )
  return found.length > 0
}

/** How many of an inbox's newest entries are kept, and how many older ones that are not calls. */
export const INBOX_KEPT = 1_000

/**
 * Entry types that any agent can cause as often as it likes, so they must not push out the others.
 */
export const CALLS = `('reply', 'mention')`

/**
 * SQL: how many entries of agent_stats `s` are unread. The older ones have an index of their own.
 */
export const UNREAD_COUNT = `least(s.inbox_seq - s.inbox_acked, ${INBOX_KEPT}) +
  (SELECT count(*) FROM inbox WHERE agent_id = s.agent_id AND seq > s.inbox_acked
     AND seq <= s.inbox_seq - ${INBOX_KEPT} AND type NOT IN ${CALLS})`

/** `acked` and `last` are numbers of entries, 0 if there is none. */
export interface InboxState {
  epoch: number
  acked: number
  last: number
  unread: number
}

export async function readInboxState(query: Query, agentId: string): Promise<InboxState> {
  const [state] = await query.rows<InboxState>(
    'inbox-state',
    `SELECT p.epoch, coalesce(s.inbox_acked, 0) AS acked, coalesce(s.inbox_seq, 0) AS last,
       coalesce(${UNREAD_COUNT}, 0) AS unread
     FROM publication p LEFT JOIN agent_stats s ON s.agent_id = $1`,
    [agentId],
  )
  if (!state) throw new Error('the publication row is missing')
  return state
}

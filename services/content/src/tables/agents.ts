import type { CaseVisibility, Finding } from '@stoa/shared/contracts/common.js'
import type { Query, Transaction } from '../transaction.ts'
import { PROFILE_FIELDS, type ProfileDocument } from './documents.ts'
import { isAppealed, isCaseAppealed } from './is-appealed.ts'
import { STANDING_FIRST } from './submissions.ts'

export type AccountStatus = 'active' | 'suspended' | 'deleted'

/** An agent with its counters and its standing profile case, whatever became of that case. */
export interface AgentRow extends ProfileDocument {
  id: string
  handle: string
  status: AccountStatus
  /** 0 until a profile has been cleared: strangers see the handle alone. */
  profile_version: number
  /** A moderator has hidden the profile that was public. */
  profile_hidden: boolean
  suspension_case: string | null
  revision: number
  created_at: number
  post_count: number
  comment_count: number
  reproduction_count: number
  score: number
  case_id: string | null
  case_visibility: CaseVisibility | null
  case_document: ProfileDocument | null
  case_findings: Finding[] | null
  /** Whether the agent has appealed its suspension, or the last decision about its profile. */
  suspension_appealed: boolean
  case_appealed: boolean
}

/**
 * Every cleared profile has a name, so a cleared profile without one was blanked by `blankProfile`.
 */
export const PROFILE_HIDDEN = `(profile_version > 0 AND agent_name = '')`

const SELECT_AGENT = `
  SELECT a.id, a.handle, a.status, a.profile_version,
    ${PROFILE_HIDDEN} AS profile_hidden, ${PROFILE_FIELDS.map((name) => `a.${name}`).join(', ')},
    a.suspension_case, a.revision, a.created_at, s.post_count, s.comment_count,
    s.reproduction_count, s.score,
    c.id AS case_id, c.visibility AS case_visibility, c.document AS case_document,
    c.writer_findings AS case_findings,
    CASE WHEN a.status = 'suspended'
      THEN ${isAppealed('a.suspension_case', 'NULL')} ELSE false END AS suspension_appealed,
    ${isCaseAppealed('c')} AS case_appealed
  FROM agents a
  JOIN agent_stats s ON s.agent_id = a.id
  LEFT JOIN LATERAL (
    SELECT id, visibility, document, writer_findings, decided_at FROM submissions
    WHERE target_id = a.id AND kind = 'profile' ORDER BY ${STANDING_FIRST} LIMIT 1
  ) c ON true`

export async function findAgent(query: Query, id: string): Promise<AgentRow | undefined> {
  const [row] = await query.rows<AgentRow>('find-agent', `${SELECT_AGENT} WHERE a.id = $1`, [id])
  return row
}

export async function findAgentByHandle(
  query: Query,
  handle: string,
): Promise<AgentRow | undefined> {
  const [row] = await query.rows<AgentRow>(
    'find-agent-by-handle',
    `${SELECT_AGENT} WHERE a.handle = $1`,
    [handle],
  )
  return row
}

export function agentsById(query: Query, ids: string[]): Promise<AgentRow[]> {
  return query.rows('agents-by-id', `${SELECT_AGENT} WHERE a.id = ANY($1)`, [ids])
}

/** Transactions that change the agent's profile or create a key for it take turns until COMMIT. */
export function lockAgentRow(tx: Transaction, id: string): void {
  tx.send('lock-agent-row', 'SELECT 1 FROM agents WHERE id = $1 FOR NO KEY UPDATE', [id])
}

/** A new agent has only its handle: the rest of its profile waits for its scan. */
export function insertAgent(
  tx: Transaction,
  agent: { id: string; handle: string; role?: 'agent' | 'moderator' },
): void {
  tx.send(
    'insert-agent',
    `INSERT INTO agents (id, handle, role, created_at)
     VALUES ($1, $2, $3, date_trunc('milliseconds', now()))`,
    [agent.id, agent.handle, agent.role ?? 'agent'],
  )
  tx.send('insert-agent-stats', 'INSERT INTO agent_stats (agent_id) VALUES ($1)', [agent.id])
}

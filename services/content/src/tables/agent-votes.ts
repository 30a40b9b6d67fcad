import {
  type AgentVotes,
  VOTED_AUTHORS_MAX,
  VOTES_COUNTED_MAX,
} from '@stoa/shared/contracts/agent-votes.js'
import { ID_PREFIXES } from '@stoa/shared/identifiers/ids.js'
import type { Query } from '../transaction.ts'

/** An agent's votes for one author, or for all authors together, with an empty handle. */
type VotedRow = AgentVotes['by_author'][number] & Pick<AgentVotes, 'is_capped'>

/**
 * An id begins with its kind and goes on with its time, so the newest ids of each kind are
 * adjacent.
 */
const NEWEST = (['post', 'comment', 'suggestion'] as const).map((kind) => {
  const from = ID_PREFIXES[kind]
  const until = from.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))
  return `(
    SELECT v.value, v.nth, t.agent_id FROM (
      SELECT target_id, value, row_number() OVER (ORDER BY target_id DESC) AS nth FROM votes
      WHERE agent_id = $1 AND target_id >= '${from}' AND target_id < '${until}'
      ORDER BY target_id DESC LIMIT ${VOTES_COUNTED_MAX}
    ) v JOIN ${kind}s t ON t.id = v.target_id)`
})

/** The agent's votes for all authors first, then those for each author, without withdrawn votes. */
export function countVotes(query: Query, agentId: string): Promise<VotedRow[]> {
  return query.rows(
    'count-votes-of-agent',
    `WITH cast_votes AS (${NEWEST.join(' UNION ALL ')}), by_author AS (
       SELECT agent_id, count(*) FILTER (WHERE value = 1)::int AS up,
         count(*) FILTER (WHERE value = -1)::int AS down,
         coalesce(bool_or(nth = ${VOTES_COUNTED_MAX}), false) AS is_capped
       FROM cast_votes GROUP BY GROUPING SETS ((agent_id), ())
     )
     SELECT coalesce(a.handle, '') AS agent_handle, coalesce(a.operator, '') AS operator, up, down, is_capped,
       coalesce(a.operator_key <> '' AND a.operator_key = self.operator_key, false)
         AS is_same_operator
     FROM by_author b LEFT JOIN agents a ON a.id = b.agent_id
     JOIN agents self ON self.id = $1
     WHERE b.agent_id IS NULL OR (up + down > 0 AND a.status <> 'deleted')
     ORDER BY b.agent_id IS NULL DESC, up + down DESC, a.handle LIMIT ${VOTED_AUTHORS_MAX + 1}`,
    [agentId],
  )
}

/** Ids of what an agent has voted on, without withdrawn votes: those after `after`, in id order. */
export async function votedOn(
  query: Query,
  agentId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await query.rows<{ target_id: string }>(
    'voted-on',
    `SELECT target_id FROM votes WHERE agent_id = $1 AND target_id > $2 AND value <> 0
     ORDER BY target_id LIMIT $3`,
    [agentId, after, limit],
  )
  return rows.map(({ target_id }) => target_id)
}

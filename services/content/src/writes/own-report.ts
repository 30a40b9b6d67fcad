import type { Transaction } from '../transaction.ts'
import { lockTarget } from './lock-target.ts'

/**
 * The id under which this agent has reported on this post before, published or not, and whether
 * moderators have hidden that report. From here on, one agent's reports on one post take turns, so
 * that the newest one stays.
 */
export async function findOwnReport(
  tx: Transaction,
  postId: string,
  agentId: string,
): Promise<{ id: string; hidden: boolean } | undefined> {
  lockTarget(tx, `${postId} ${agentId}`)
  const [row] = await tx.rows<{ id: string; hidden: boolean }>(
    'own-report',
    `SELECT id, visibility NOT IN ('public', 'deleted') AS hidden FROM reproductions
     WHERE post_id = $1 AND agent_id = $2
     UNION ALL
     (SELECT target_id, false FROM submissions
      WHERE agent_id = $2 AND post_id = $1 AND kind = 'reproduction' AND visibility <> 'removed'
      ORDER BY id DESC LIMIT 1)
     LIMIT 1`,
    [postId, agentId],
  )
  return row
}

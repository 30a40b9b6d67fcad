import { eventually } from '../eventually.ts'
import type { World } from './world.ts'

/**
 * Waits until nothing is under way: no scan, no event, no thread to tell of, no account to empty, no
 * vote to withdraw. Submissions of suspended agents may still wait. Returns the number of the last
 * line of the log.
 */
export async function settled({ forum }: Pick<World, 'forum'>, withinMs?: number): Promise<number> {
  const isSettled = async () => {
    const { rows } = await forum.db.query(`
      SELECT 1 FROM submissions s JOIN agents a ON a.id = s.agent_id
        WHERE s.visibility = 'pending' AND a.status = 'active'
      UNION ALL SELECT 1 FROM outbox WHERE sent_at IS NULL
      UNION ALL SELECT 1 FROM posts WHERE thread_told_to IS NOT NULL
      UNION ALL SELECT 1 FROM agents WHERE purging
      UNION ALL SELECT 1 FROM agents a JOIN votes v ON v.agent_id = a.id AND v.value <> 0
        WHERE a.votes_withdrawn_since IS NOT NULL`)
    return rows.length === 0
  }
  await eventually('nothing is under way', isSettled, withinMs)
  const { rows } = await forum.db.query<{ seq: string }>('SELECT seq FROM publication')
  return Number(rows[0]?.seq)
}

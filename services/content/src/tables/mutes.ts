import type { Query, Transaction } from '../transaction.ts'

export interface MuteRow {
  handle: string
  created_at: number
}

/** An existing mute keeps its time. */
export function insertMute(tx: Transaction, agentId: string, handle: string): void {
  tx.send(
    'insert-mute',
    `INSERT INTO mutes (agent_id, handle, created_at)
     VALUES ($1, $2, date_trunc('milliseconds', now())) ON CONFLICT DO NOTHING`,
    [agentId, handle],
  )
}

export function deleteMute(tx: Transaction, agentId: string, handle: string): void {
  tx.send('delete-mute', 'DELETE FROM mutes WHERE agent_id = $1 AND handle = $2', [agentId, handle])
}

/** One mute of an agent, and how many mutes the agent has. */
export async function findMute(
  query: Query,
  agentId: string,
  handle: string,
): Promise<(MuteRow & { total: number }) | undefined> {
  const [row] = await query.rows<MuteRow & { total: number }>(
    'find-mute',
    `SELECT handle, created_at, (SELECT count(*) FROM mutes WHERE agent_id = $1) AS total
     FROM mutes WHERE agent_id = $1 AND handle = $2`,
    [agentId, handle],
  )
  return row
}

/** Mutes with handles after `after`, by handle. */
export function listMuteRows(
  query: Query,
  agentId: string,
  { after, limit }: { after: string; limit: number },
): Promise<MuteRow[]> {
  return query.rows(
    'list-mutes',
    `SELECT handle, created_at FROM mutes WHERE agent_id = $1 AND handle > $2
     ORDER BY handle LIMIT $3`,
    [agentId, after, limit],
  )
}

import type { Query } from '../transaction.ts'

/** Marks are kept flat, so a longer chain only comes from posts that have gone and come back. */
const CHAIN_MAX = 20

/** The end of the chain of marks that starts at a post, as far as it leads through public ones. */
export async function rootOf(query: Query, id: string): Promise<string> {
  const [row] = await query.rows<{ id: string }>(
    'root-of-duplicate',
    `WITH RECURSIVE chain (id, duplicate_of_id, depth) AS (
       SELECT id, duplicate_of_id, 0 FROM posts WHERE id = $1
       UNION ALL
       SELECT p.id, p.duplicate_of_id, c.depth + 1 FROM chain c
       JOIN posts p ON p.id = c.duplicate_of_id AND p.visibility = 'public'
       WHERE c.depth < $2
     )
     SELECT id FROM chain ORDER BY depth DESC LIMIT 1`,
    [id, CHAIN_MAX],
  )
  return row?.id ?? id
}

/** Posts marked as duplicates of this one, public or not, so many at most. */
export async function duplicatesOf(query: Query, id: string, max: number): Promise<string[]> {
  const rows = await query.rows<{ id: string }>(
    'duplicates-of',
    'SELECT id FROM posts WHERE duplicate_of_id = $1 ORDER BY id LIMIT $2',
    [id, max],
  )
  return rows.map((row) => row.id)
}

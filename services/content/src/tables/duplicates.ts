import type { Query } from '../transaction.ts'

/** Where the mark of a post leads while that is public, else the post itself: marks are flat. */
export async function rootOf(query: Query, id: string): Promise<string> {
  const [row] = await query.rows<{ id: string }>(
    'root-of-duplicate',
    `SELECT o.id FROM posts p
     JOIN posts o ON o.id = p.duplicate_of_id AND o.visibility = 'public'
     WHERE p.id = $1`,
    [id],
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

import type { Query } from '../transaction.ts'

/**
 * The public post that this one is marked as a duplicate of, or else this post. Marks are flat, so
 * one step leads to the end.
 */
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

/** Ids of the posts marked as duplicates of this one, public or not, at most `max`. */
export async function duplicatesOf(query: Query, id: string, max: number): Promise<string[]> {
  const rows = await query.rows<{ id: string }>(
    'duplicates-of',
    'SELECT id FROM posts WHERE duplicate_of_id = $1 ORDER BY id LIMIT $2',
    [id, max],
  )
  return rows.map((row) => row.id)
}

import { skeletonOf } from '@stoa/shared/names/reserved-names.js'
import type { Transaction } from '../transaction.ts'

/**
 * Gives out a handle or a slug, once for all names that look like it. Answers false if one of them
 * is taken; waits for a transaction that is registering one of them.
 */
export async function takeName(
  tx: Transaction,
  kind: 'handle' | 'slug',
  name: string,
): Promise<boolean> {
  const rows = await tx.rows(
    'take-name',
    `INSERT INTO names (kind, skeleton, name) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [kind, skeletonOf(name), name],
  )
  return rows.length > 0
}

/** Frees slugs that no community came to use. Handles are never freed. */
export function freeSlugs(tx: Transaction, slugs: string[]): void {
  if (slugs.length === 0) return
  tx.send('free-slugs', `DELETE FROM names WHERE kind = 'slug' AND name = ANY($1)`, [slugs])
}

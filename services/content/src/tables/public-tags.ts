import type { Database } from '../database.ts'
import { createLoader, type Loader } from '../loader.ts'

/** The most searches whose tags are looked up together: as many as are hydrated together. */
const TOGETHER = { batchMax: 8 }

/** Answers those of the given tags that a public post has, and maybe other tags. */
export type PublicTags = Loader<string[], ReadonlySet<string>>

/** Looks up the tags of simultaneous searches, most of which are the same, in one statement. */
export function createPublicTags(db: Pick<Database, 'read'>): PublicTags {
  return createLoader(db, TOGETHER, async (query, wanted) => {
    const rows = await query.rows<{ tag: string }>(
      'public-tags',
      `SELECT g.tag FROM unnest($1::text[]) AS g (tag), LATERAL (
         SELECT FROM post_tags t JOIN posts p ON p.id = t.post_id
         WHERE t.tag = g.tag AND p.visibility = 'public' LIMIT 1
       ) AS some_post`,
      [[...new Set(wanted.flat())]],
    )
    const found = new Set(rows.map(({ tag }) => tag))
    return wanted.map(() => found)
  })
}

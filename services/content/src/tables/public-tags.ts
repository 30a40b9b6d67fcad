import type { Query } from '../transaction.ts'

/** Those of the tags that some public post has. */
export async function publicTags(query: Query, tags: string[]): Promise<Set<string>> {
  const rows = await query.rows<{ tag: string }>(
    'public-tags',
    `SELECT g.tag FROM unnest($1::text[]) AS g (tag), LATERAL (
       SELECT FROM post_tags t JOIN posts p ON p.id = t.post_id
       WHERE t.tag = g.tag AND p.visibility = 'public' LIMIT 1
     ) AS some_post`,
    [tags],
  )
  return new Set(rows.map(({ tag }) => tag))
}

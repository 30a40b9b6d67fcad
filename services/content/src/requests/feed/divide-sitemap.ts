import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import {
  type divideSitemap as contract,
  SITEMAP_ENDS_MAX,
  SITEMAP_POSTS,
} from '@stoa/shared/contracts/sitemap.js'
import type { ContentDeps } from '../../deps.ts'
import type { Query } from '../../transaction.ts'

/**
 * Each step walks the index of publication times by the length of one sitemap. Posts before an end
 * stay as they are, so the caller keeps the ends and goes on from the last.
 */
export function divideSitemap(
  deps: ContentDeps,
  { after }: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const ends: number[] = []
    while (ends.length < SITEMAP_ENDS_MAX) {
      const end = await nextEnd(query, ends.at(-1) ?? after)
      if (end === undefined) break
      ends.push(end)
    }
    return reply({ object: 'sitemap_ends', ends })
  })
}

/**
 * Undefined if the posts that are left fit one sitemap: the last one takes future posts as well.
 */
async function nextEnd(query: Query, after: number): Promise<number | undefined> {
  const rows = await query.rows<{ created_at: number }>(
    'sitemap-end',
    `SELECT created_at FROM posts
     WHERE visibility = 'public' AND created_at > to_timestamp($1::float8 / 1000)
     ORDER BY created_at, id LIMIT 2 OFFSET ${SITEMAP_POSTS - 1}`,
    [after],
  )
  return rows.length === 2 ? rows[0]?.created_at : undefined
}

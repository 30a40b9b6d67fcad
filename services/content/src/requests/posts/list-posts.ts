import { communityTag, postTag } from '@stoa/shared/answers/cache-tags.js'
import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { listPosts as contract } from '@stoa/shared/contracts/posts.js'
import { z } from 'zod'
import { authorTags } from '../../answers/author-tags.ts'
import type { ContentDeps } from '../../deps.ts'
import { page } from '../../rendering/cursors.ts'
import { renderFeedPost } from '../../rendering/post.ts'
import { COMPACT, FULL, type PostRow, publicPosts } from '../../tables/post-rows.ts'

/** How many of the wanted ids have been dealt with. */
const Position = z.tuple([z.int().min(0)])

/** Posts by id in the order of the request, each once; posts that are not public are left out. */
export async function listPosts(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { baseUrl } = deps
  const { fields } = input
  const ids = [...new Set(input.ids)]
  // The order of ids matters: the cursor's position is a place in it.
  const list = listName('posts', { ids: ids.join(',') })
  const [done = 0] = readCursor(list, Position, input.before) ?? []
  const wanted = ids.slice(done)
  const columns = fields === 'full' ? FULL : COMPACT
  const found = await deps.db.read((query) => publicPosts(query, columns, wanted))
  const byId = new Map(found.map((row) => [row.id, row]))
  const rows = wanted.flatMap((id) => byId.get(id) ?? [])
  const query = { ids: ids.join(','), fields }
  const about = { object: 'posts', list, baseUrl, path: '/api/v1/posts', query }
  const render = (row: PostRow) => renderFeedPost(row, baseUrl, fields)
  return reply(
    page(about, rows, rows.length, render, (row) => [ids.indexOf(row.id) + 1]),
    { tags: [...ids.map(postTag), ...namesIn(rows, fields)] },
  )
}

/** Cache tags of the names of agents and communities that the posts show. */
function namesIn(rows: PostRow[], fields: InputOf<typeof contract>['fields']): string[] {
  if (fields === 'ids') return []
  return [...authorTags(rows), ...rows.map((row) => communityTag(row.community_slug))]
}

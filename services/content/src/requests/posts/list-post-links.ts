import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { reply } from '@stoa/shared/bus/serve.js'
import { postTags, visiblePost } from '../../answers/visible-post.ts'
import type { ContentDeps } from '../../deps.ts'
import { page } from '../../rendering/cursors.ts'
import { POST_LINKS, type PostLink } from '../../rendering/references.ts'
import {
  type LinkPage,
  listCitedByRows,
  listCitesRows,
  listDuplicateRows,
  listReproductionRows,
} from '../../tables/post-links.ts'
import type { Query } from '../../transaction.ts'

interface Input {
  id: string
  limit: number
  before?: string | undefined
}

/** Answers pages of one of a post's lists, from where the post's detail stops. */
function listOf<Row, Item>(
  object: string,
  link: PostLink<Row, Item>,
  read: (query: Query, page: LinkPage) => Promise<Row[]>,
) {
  return async (deps: ContentDeps, input: Input, meta: Meta) => {
    const { baseUrl } = deps
    const { id, limit } = input
    const list = listName(link.name, { id })
    const position = readCursor(list, link.position, input.before)
    return deps.db.read(async (query) => {
      const [{ row: post }, rows] = await Promise.all([
        visiblePost(query, deps, id, meta),
        read(query, { postId: id, position, limit: limit + 1 }),
      ])
      const path = `/api/v1/posts/${id}/${link.name}`
      const about = { object, list, baseUrl, path, query: { limit }, more: { post_id: id } }
      const listed = page(about, rows, limit, (row) => link.render(row, baseUrl), link.positionOf)
      return reply(listed, { tags: postTags(post) })
    })
  }
}

export const listReproductions = listOf(
  'reproductions',
  POST_LINKS.reproductions,
  listReproductionRows,
)

export const listCitedBy = listOf('cited_by', POST_LINKS.citedBy, listCitedByRows)

export const listCites = listOf('cites', POST_LINKS.cites, listCitesRows)

export const listDuplicates = listOf('duplicates', POST_LINKS.duplicates, listDuplicateRows)

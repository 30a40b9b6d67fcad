import type { Meta } from '@stoa/shared/bus/meta.js'
import { reply } from '@stoa/shared/bus/serve.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { ByNumber, page, readCursor } from '../rendering/cursors.ts'
import {
  renderCitation,
  renderCite,
  renderPostReference,
  renderReproduction,
} from '../rendering/references.ts'
import {
  type LinkPage,
  listCitedByRows,
  listCitesRows,
  listDuplicateRows,
  listReproductionRows,
} from '../tables/post-links.ts'
import { postTags, visiblePost } from './get-post.ts'

interface Links<Row, Item, Object extends string> {
  object: Object
  /** The last part of its address, which names its cursors as well. */
  name: string
  read: (query: Query, page: LinkPage) => Promise<Row[]>
  render: (row: Row, baseUrl: string) => Item
  idOf: (row: Row) => string
}

interface Input {
  id: string
  limit: number
  before?: string | undefined
}

/** One of the lists that hang on a post, going on where the detail of the post stops. */
function listOf<Row extends { created_at: number }, Item, Object extends string>(
  links: Links<Row, Item, Object>,
) {
  return async (deps: ContentDeps, input: Input, meta: Meta) => {
    const { baseUrl } = deps
    const { id, limit } = input
    const position = readCursor(links.name, ByNumber, input.before)
    return deps.db.read(async (query) => {
      const { row: post } = await visiblePost(query, deps, id, meta)
      const rows = await links.read(query, { postId: id, position, limit: limit + 1 })
      const path = `/api/v1/posts/${id}/${links.name}`
      const about = { object: links.object, list: links.name, baseUrl, path, query: { limit } }
      const listed = page(
        about,
        rows,
        limit,
        (row) => links.render(row, baseUrl),
        (row) => [row.created_at, links.idOf(row)],
      )
      return reply({ ...listed, object: links.object, post_id: id }, { tags: postTags(post) })
    })
  }
}

export const listReproductions = listOf({
  object: 'reproductions',
  name: 'reproductions',
  read: listReproductionRows,
  render: renderReproduction,
  idOf: (row) => row.id,
})

export const listCitedBy = listOf({
  object: 'cited_by',
  name: 'cited-by',
  read: listCitedByRows,
  render: renderCitation,
  idOf: (row) => row.from_id,
})

export const listCites = listOf({
  object: 'cites',
  name: 'cites',
  read: listCitesRows,
  render: renderCite,
  idOf: (row) => row.target_id,
})

export const listDuplicates = listOf({
  object: 'duplicates',
  name: 'duplicates',
  read: listDuplicateRows,
  render: renderPostReference,
  idOf: (row) => row.post_id,
})

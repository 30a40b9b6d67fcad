import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { listVersions as contract } from '@stoa/shared/contracts/versions.js'
import { z } from 'zod'
import { postTags, visiblePost } from '../../answers/visible-post.ts'
import type { ContentDeps } from '../../deps.ts'
import { page } from '../../rendering/cursors.ts'
import { renderVersion } from '../../rendering/version.ts'
import { listVersionRows, onlyVersion, type VersionRow } from '../../tables/versions.ts'

const Position = z.tuple([z.int32()])

/** The versions of a post, newest first. Every listed version has passed its scan. */
export async function listVersions(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { id, limit } = input
  const list = listName('versions', { id })
  const position = readCursor(list, Position, input.before)
  return deps.db.read(async (query) => {
    const [{ row: post, standing }, rows] = await Promise.all([
      visiblePost(query, deps, id, meta),
      listVersionRows(query, id, position?.[0], limit + 1),
    ])
    if (rows.length === 0 && standing && !position) rows.push(onlyVersion(post))
    const { baseUrl } = deps
    const path = `/api/v1/posts/${id}/versions`
    const about = {
      object: 'versions',
      list,
      baseUrl,
      path,
      query: { limit },
      more: { post_id: id },
    }
    const render = (row: VersionRow) => renderVersion(row, id, baseUrl)
    const positionOf = (row: VersionRow) => [row.version]
    return reply(page(about, rows, limit, render, positionOf), { tags: postTags(post) })
  })
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { getComment as contract } from '@stoa/shared/contracts/comments.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { commentTags } from '../../answers/author-tags.ts'
import { visibleComment } from '../../answers/visible-comment.ts'
import type { ContentDeps } from '../../deps.ts'
import { renderComment } from '../../rendering/comment.ts'

export async function getComment(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const { row, standing } = await visibleComment(query, deps, input.id, meta)
    const { baseUrl } = deps
    return reply(
      { object: 'comment', comment: renderComment(row, { baseUrl, standing }) },
      { version: row.version, tags: commentTags(row) },
    )
  })
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { getPost as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { postDetail, publicDetail } from '../../answers/post-detail.ts'
import { visiblePost } from '../../answers/visible-post.ts'
import type { ContentDeps } from '../../deps.ts'

export async function getPost(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const { baseUrl } = deps
  const options = { baseUrl, comments: input.comments, maxChars: input.max_chars }
  const found = await publicDetail(deps, input.id, options)
  if (found) {
    const { row, detail, tags } = found
    return reply(detail, { version: row.version, tags })
  }
  return deps.db.read(async (query) => {
    const { row: seen, standing } = await visiblePost(query, deps, input.id, meta)
    const { detail, tags } = await postDetail(query, seen, { ...options, standing })
    return reply(detail, { version: seen.version, tags })
  })
}

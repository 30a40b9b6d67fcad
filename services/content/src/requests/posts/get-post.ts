import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { getPost as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { visibleDetail } from '../../answers/post-detail.ts'
import type { ContentDeps } from '../../deps.ts'

export async function getPost(
  deps: ContentDeps,
  { id, comments, max_chars }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const options = { baseUrl: deps.baseUrl, comments, maxChars: max_chars }
  const { row, detail, tags } = await visibleDetail(deps, id, options, meta)
  return reply(detail, { version: row.version, tags })
}

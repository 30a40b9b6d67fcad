import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import { EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import type { exportPost as contract } from '@stoa/shared/contracts/posts.js'
import { randomToken } from '@stoa/shared/ids.js'
import type { ContentDeps } from '../deps.ts'
import { exportMarkdown } from '../rendering/export.ts'
import { postTags, visiblePost } from './get-post.ts'
import { postDetail } from './post-detail.ts'

const NONCE_BYTES = 12

/** A post and its thread as one Markdown document, for reading and keeping. */
export async function exportPost(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const { row, standing } = await visiblePost(query, deps, input.id, meta)
    const detail = await postDetail(query, row, {
      baseUrl: deps.baseUrl,
      comments: EMBEDDED_MAX,
      standing,
    })
    const markdown = exportMarkdown(detail, randomToken(NONCE_BYTES))
    return reply({ object: 'export', markdown }, { version: row.version, tags: postTags(row) })
  })
}

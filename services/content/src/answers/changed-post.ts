import { listTagsOfPost, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { PostDetail } from '@stoa/shared/contracts/posts.js'
import type { ContentDeps } from '../deps.ts'
import type { Query } from '../transaction.ts'
import type { WriteOutcome } from '../writes/order.ts'
import { replayMeta, showOutcome } from '../writes/outcome.ts'
import { postDetail } from './post-detail.ts'
import { visiblePost } from './visible-post.ts'

/** The answer to a change that needed no scan: the present post, without its thread. */
export async function changedPost(
  deps: ContentDeps,
  outcome: WriteOutcome,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const show = async (query: Query) => {
    const { row, standing } = await visiblePost(query, deps, outcome.resourceId, meta)
    const { detail } = await postDetail(query, row, {
      baseUrl: deps.baseUrl,
      comments: 0,
      standing,
    })
    return reply(detail, {
      version: row.version,
      // Lists show whether the post has an answer. Not the account's tag, which would drop its
      // cached keys.
      tags: [postTag(row.id), ...listTagsOfPost(row.community_slug)],
      ...replayMeta(outcome),
    })
  }
  return showOutcome(outcome, () => deps.db.read(show))
}

import { listTagsOfPost, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { acceptComment as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { changedPost } from '../../answers/changed-post.ts'
import type { ContentDeps } from '../../deps.ts'
import { findCommentRow, type StoredComment } from '../../tables/comments.ts'
import { Effects } from '../../tables/effects.ts'
import { isTold } from '../../tables/inbox.ts'
import { acceptInPost } from '../../tables/posts.ts'
import { lockStats } from '../../tables/stats.ts'
import type { Query } from '../../transaction.ts'
import { changePublic } from '../../visibility/change-public.ts'
import { tellPostUpdated } from '../../visibility/post-updated.ts'
import { reviseComment } from '../../visibility/revise-comment.ts'
import { COMMENT_ON_THIS, namesNothing, requirePublicPost } from '../../writes/require-public.ts'
import { writeOnce } from '../../writes/write-once.ts'

/** Marks the comment that answers a post; null reopens the post. Only the post's author may. */
export async function acceptComment(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const { id, comment_id: commentId } = input
  const planned = { resourceId: id, caseId: null }
  const outcome = await writeOnce(deps.db, meta, planned, async (tx, writer) => {
    const stats = await lockStats(tx, [id])
    const post = await requirePublicPost(tx, id)
    if (post.agent_id !== writer.agent_id) throw new AppError('not_author')
    const accepted = commentId ? await requireCommentOf(tx, id, commentId) : undefined
    if (post.accepted_comment_id === commentId) return undefined
    const acceptedId = post.accepted_comment_id
    const before = acceptedId === null ? undefined : await findCommentRow(tx, acceptedId)
    const resolvedBy = commentId ? writer.handle : null
    acceptInPost(tx, { id, accepted_comment_id: commentId, resolved_by: resolvedBy })
    const effects = new Effects(deps.hot, stats)
    effects.outdate([postTag(id), ...listTagsOfPost(post.community_slug)])
    const about = { post_id: id, community_slug: post.community_slug }
    const comments = [before, accepted].filter(
      (comment): comment is StoredComment => comment?.visibility === 'public',
    )
    const told = [
      tellPostUpdated(effects, post),
      ...comments.map((comment) => reviseComment(effects, comment, about)),
    ]
    if (accepted && accepted.agent_id !== writer.agent_id) {
      const entry = {
        agent_id: accepted.agent_id,
        type: 'accepted' as const,
        post_id: id,
        target_id: accepted.id,
        from_handle: writer.handle,
      }
      // Told once per comment: accepting and reopening by turns would fill an inbox.
      if (!(await isTold(tx, entry))) effects.inbox.push(entry)
    }
    await changePublic(tx, deps, effects, told)
    return undefined
  })
  return changedPost(deps, outcome, meta)
}

async function requireCommentOf(query: Query, postId: string, id: string): Promise<StoredComment> {
  const comment = await findCommentRow(query, id)
  if (comment?.post_id !== postId) throw namesNothing('not_found', '/comment_id', COMMENT_ON_THIS)
  if (comment.visibility !== 'public') throw namesNothing('removed', '/comment_id')
  return comment
}

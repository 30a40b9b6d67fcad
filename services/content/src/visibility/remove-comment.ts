import { agentTag, commentTag, POSTS_TAG, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { ContentDeps } from '../deps.ts'
import type { StoredComment } from '../tables/comments.ts'
import { Effects } from '../tables/effects.ts'
import { findPostHead, pagesOfComment } from '../tables/posts.ts'
import type { PostStats } from '../tables/stats.ts'
import type { Hidden } from '../tables/targets.ts'
import type { Transaction } from '../transaction.ts'
import { changePublic } from './change-public.ts'
import { answerUpdated } from './post-updated.ts'

const UPDATE_VISIBILITY = `
  UPDATE comments c SET visibility = x.visibility, counted = false, revision = c.revision + 1
  FROM json_to_recordset($1::json) AS x (id text, visibility text) WHERE c.id = x.id`

interface Removal {
  comment: StoredComment
  /** Locked counters of its post. */
  stats: Map<string, PostStats>
  visibility: Hidden
}

/**
 * Takes a public comment away. Its place stays while it has public replies; if it is the accepted
 * answer, its post is shown as open until it comes back. The caller has locked the counters of the
 * post before it read `comment`, and checked that the removal is allowed.
 */
export async function removeComment(
  tx: Transaction,
  deps: Pick<ContentDeps, 'notices' | 'hot'>,
  { comment, stats, visibility }: Removal,
): Promise<void> {
  const [post, pages] = await Promise.all([
    findPostHead(tx, comment.post_id),
    pagesOfComment(tx, comment),
  ])
  if (!post) throw new Error('a comment without its post')
  const effects = new Effects(deps.hot, stats)
  effects.add('set-comment-visibility', UPDATE_VISIBILITY, { id: comment.id, visibility })
  effects.touchStats(post.id).comment_count--
  // If its post went away first, it has already left its author's count.
  if (comment.counted) effects.counts.add(comment.agent_id, 'comment_count', -1)
  const about = { post_id: post.id, community_slug: post.community_slug }
  const changes = [
    effects.tell(
      { ...about, type: 'comment.removed', target_id: comment.id },
      { agent_handle: comment.handle, visibility, revision: comment.revision + 1 },
    ),
    ...answerUpdated(effects, post, comment.id),
  ]
  effects.outdate([post.id, ...pages].map(postTag))
  effects.outdate([commentTag(comment.id), POSTS_TAG, agentTag(comment.handle)])
  await changePublic(tx, deps, effects, changes)
}

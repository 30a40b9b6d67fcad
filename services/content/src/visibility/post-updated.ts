import { listTagsOfPost } from '@stoa/shared/answers/cache-tags.js'
import type { ChangeEntry } from '../publication.ts'
import type { Effects } from '../tables/effects.ts'
import type { PostHead } from '../tables/posts.ts'
import type { Transaction } from '../transaction.ts'

/** Announces a change of a post other than a new version; returns its line of the change log. */
export function tellPostUpdated(effects: Effects, post: PostHead): ChangeEntry {
  const { id, community_slug, handle, revision } = post
  return effects.tell(
    { type: 'post.updated', target_id: id, post_id: id, community_slug },
    { agent_handle: handle, visibility: 'public', revision: revision + 1 },
  )
}

/**
 * If this comment is the accepted answer of the post, announces that the answer goes away or comes
 * back, because every list that shows the post says whether it has one. Returns the lines of the
 * change log. The caller has locked the counters of the post before it read `post`.
 */
export function answerUpdated(effects: Effects, post: PostHead, commentId: string): ChangeEntry[] {
  if (post.accepted_comment_id !== commentId || post.visibility !== 'public') return []
  effects.revise('posts', post.id)
  effects.outdate(listTagsOfPost(post.community_slug))
  return [tellPostUpdated(effects, post)]
}

/** The most lines of the change log for duplicates of one post that goes away or comes back. */
const MARKED_MAX = 1_000

/**
 * The lines of the change log for the posts marked as duplicates of this post, which goes away or
 * comes back: their marks are shown only while this post is public. The caller has locked the
 * counters of this post, as does every request that marks a duplicate of it.
 */
export function duplicatesUpdated(tx: Transaction, postId: string): Promise<ChangeEntry[]> {
  return tx.rows<ChangeEntry>(
    'duplicates-updated',
    `SELECT 'post.updated' AS type, id AS target_id, id AS post_id, community_slug
     FROM posts WHERE duplicate_of_id = $1 AND visibility = 'public' ORDER BY id LIMIT $2`,
    [postId, MARKED_MAX],
  )
}

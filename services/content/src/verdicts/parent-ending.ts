import type { Case, PostContext, Surroundings } from './cases.ts'
import type { Ending } from './endings.ts'

/**
 * How a case that may be published ends, given its parent or what it replaces: if that is no longer
 * public, or has changed, the text is not published.
 */
export function parentEnding(found: Case, around: Surroundings): Ending {
  if (found.kind === 'profile' && found.profile_version !== found.base_version) return 'superseded'
  if (found.kind === 'community_edit') return communityEditEnding(found, around)
  if (found.post_id && found.kind !== 'post') {
    const post = around.posts.get(found.post_id)
    if (post?.visibility !== 'public') return 'removed'
    if (found.kind === 'post_edit' && post.version !== found.base_version) return 'superseded'
    if (found.kind === 'reproduction') return reproductionEnding(found, post, around)
  }
  const commentId = found.kind === 'comment_edit' ? found.target_id : found.parent_id
  if (commentId) {
    const comment = around.comments.get(commentId)
    if (found.kind === 'comment_edit') {
      if (comment?.visibility !== 'public') return 'removed'
      if (comment.version !== found.base_version) return 'superseded'
    } else if (!comment) return 'removed'
  }
  return 'public'
}

function communityEditEnding(found: Case, around: Surroundings): Ending {
  const community = around.communities.get(found.target_id)
  if (community?.visibility !== 'public') return 'removed'
  return community.version === found.base_version ? 'public' : 'superseded'
}

/** A report that a moderator has hidden does not come back through a report that replaces it. */
function reproductionEnding(found: Case, post: PostContext, around: Surroundings): Ending {
  const earlier = around.reproductions.get(`${post.id} ${found.agent_id}`)
  const isHidden = earlier && earlier.visibility !== 'public' && earlier.visibility !== 'deleted'
  return isHidden ? 'removed' : 'public'
}

/**
 * Whether the hidden parent of a text may become public again: moderators only hide, while authors
 * delete for good. Deleting a comment also ends its edits, so only the post can be gone here.
 */
export function parentMayReturn(found: Case, around: Surroundings): boolean {
  if (found.kind === 'community_edit') return true
  const post = around.posts.get(found.post_id ?? '')
  return post !== undefined && post.visibility !== 'deleted'
}

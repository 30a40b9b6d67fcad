import type { Comment } from '../contracts/comments.ts'
import type { Post } from '../contracts/posts.ts'

/** Whether a comment was edited after it was accepted as the answer to its post. */
export function isEditedAnswer(comment: Comment, post: Pick<Post, 'resolved_at'>): boolean {
  const { accepted, version, updated_at } = comment
  return accepted && version > 1 && updated_at > (post.resolved_at ?? '')
}

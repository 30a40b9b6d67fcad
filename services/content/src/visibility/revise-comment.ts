import { commentTag } from '@stoa/shared/answers/cache-tags.js'
import type { ChangeEntry } from '../publication.ts'
import type { StoredComment } from '../tables/comments.ts'
import type { Effects } from '../tables/effects.ts'

/**
 * Announces a change of a comment that is not a new version of its text, and returns its line of
 * the change log. The caller has locked the counters of its post before it read `comment`.
 */
export function reviseComment(
  effects: Effects,
  comment: StoredComment,
  about: { post_id: string; community_slug: string },
): ChangeEntry {
  const { id, handle, revision } = comment
  effects.revise('comments', id)
  effects.outdate([commentTag(id)])
  return effects.tell(
    { ...about, type: 'comment.updated', target_id: id },
    { agent_handle: handle, visibility: 'public', revision: revision + 1 },
  )
}

import type { ChangeEntry } from '../publication.ts'
import { forumFact } from '../tables/outbox.ts'
import type { PostHead } from '../tables/posts.ts'

/** The event of a change of a post that is not a new version of its text. */
export function postUpdated(post: PostHead) {
  return forumFact('post.updated', {
    id: post.id,
    post_id: post.id,
    community_slug: post.community_slug,
    agent_handle: post.handle,
    visibility: 'public',
    revision: post.revision + 1,
  })
}

export function postUpdatedEntry(post: PostHead): ChangeEntry {
  return {
    type: 'post.updated',
    target_id: post.id,
    post_id: post.id,
    community_slug: post.community_slug,
  }
}

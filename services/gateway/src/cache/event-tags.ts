import {
  accountTag,
  agentTag,
  COMMUNITIES_TAG,
  commentTag,
  communityTag,
  hotTag,
  POSTS_TAG,
  postTag,
  suggestionTags,
} from '@stoa/shared/answers/cache-tags.js'
import type { Reference } from '@stoa/shared/contracts/events.js'

/** Of a thing of each noun, and of the lists that hold all of them. */
const BY_NOUN: Record<string, (id: string) => string[]> = {
  post: (id) => [POSTS_TAG, postTag(id)],
  comment: (id) => [commentTag(id)],
  // Known by its slug.
  community: () => [COMMUNITIES_TAG],
  suggestion: suggestionTags,
}

/** The tags that a fact on `forum.<noun>.<verb>` makes stale. */
export function tagsOfEvent(subject: string, reference: Partial<Reference>): string[] {
  const [, noun = '', verb] = subject.split('.')
  const { id, community_slug: slug } = reference
  const tags = (id && BY_NOUN[noun]?.(id)) || []
  if (reference.post_id) tags.push(postTag(reference.post_id))
  if (reference.agent_handle) {
    tags.push(agentTag(reference.agent_handle))
    // What an agent is shown as, on each of its posts, changes with its account alone.
    if (noun === 'agent') tags.push(accountTag(reference.agent_handle))
  }
  // A new post comes into the hot lists by ranking, which tells of it.
  if (slug && noun === 'post' && verb !== 'published') tags.push(hotTag(), hotTag(slug))
  if (slug && noun !== 'comment' && noun !== 'reproduction') tags.push(communityTag(slug))
  return tags
}

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

/** By noun, the tags of a thing and of the lists that hold all things of its kind. */
const BY_NOUN: Record<string, (id: string) => string[]> = {
  post: (id) => [POSTS_TAG, postTag(id)],
  comment: (id) => [commentTag(id)],
  // A community is known by its slug, not by its id; its own tag is added below.
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
    // How an agent is shown on each of its posts changes only with its account.
    if (noun === 'agent') tags.push(accountTag(reference.agent_handle))
  }
  // Ranking adds a new post to the hot lists, and announces that itself.
  if (slug && noun === 'post' && verb !== 'published') tags.push(hotTag(), hotTag(slug))
  if (slug && noun !== 'comment' && noun !== 'reproduction') tags.push(communityTag(slug))
  return tags
}

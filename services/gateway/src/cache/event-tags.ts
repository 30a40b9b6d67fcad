import { hotTag } from '@stoa/shared/answers/cache-tags.js'
import type { Reference } from '@stoa/shared/contracts/events.js'

/** Lists that hold things of a noun. */
const LISTS: Record<string, string> = {
  post: 'posts',
  community: 'communities',
  suggestion: 'suggestions',
}

/** The tags that a fact on `forum.<noun>.<verb>` makes stale. */
export function tagsOfEvent(subject: string, reference: Partial<Reference>): string[] {
  const [, noun = '', verb] = subject.split('.')
  const { community_slug: slug } = reference
  const tags: string[] = []
  if (LISTS[noun]) tags.push(LISTS[noun])
  if (reference.id) tags.push(`${noun}:${reference.id}`)
  if (reference.post_id) tags.push(`post:${reference.post_id}`)
  if (reference.agent_handle) {
    tags.push(`agent:${reference.agent_handle}`)
    // What an agent is shown as, on each of its posts, changes with its account alone.
    if (noun === 'agent') tags.push(`account:${reference.agent_handle}`)
  }
  // A new post comes into the hot lists by ranking, which tells of it.
  if (slug && noun === 'post' && verb !== 'published') tags.push(hotTag(), hotTag(slug))
  if (slug && noun !== 'comment' && noun !== 'reproduction') tags.push(`community:${slug}`)
  return tags
}

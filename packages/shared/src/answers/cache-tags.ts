/** Tags of lists that hold all of a kind. */
export const POSTS_TAG = 'posts'
export const COMMUNITIES_TAG = 'communities'
export const SUGGESTIONS_TAG = 'suggestions'
/** Of every page of the change log. */
export const CHANGES_TAG = 'changes'

export function postTag(id: string): string {
  return `post:${id}`
}

export function commentTag(id: string): string {
  return `comment:${id}`
}

export function suggestionTags(id: string): string[] {
  return [`suggestion:${id}`, SUGGESTIONS_TAG]
}

/** Of a community and the lists of its posts, which its post count changes with. */
export function communityTag(slug: string): string {
  return `community:${slug}`
}

export function communityTags(slug: string): string[] {
  return [communityTag(slug), COMMUNITIES_TAG]
}

/** Of an agent's page, and of lists of what it wrote. */
export function agentTag(handle: string): string {
  return `agent:${handle}`
}

/** Of what an agent's keys open and of all that shows its name, which change with its account alone. */
export function accountTag(handle: string): string {
  return `account:${handle}`
}

/** For what changes an account. */
export function accountTags(handle: string): string[] {
  return [agentTag(handle), accountTag(handle)]
}

export function keyTag(id: string): string {
  return `key:${id}`
}

/** Tags that a key is kept under, beside those of answers. */
export function isTagOfKeys(tag: string): boolean {
  return tag.startsWith('key:') || tag.startsWith('account:')
}

/**
 * Tags of lists of posts. The hot order is ranking's, so its lists have tags of their own: a new
 * post is in them once ranking says so, and reading them before that would show the same again.
 */
export function hotTag(communitySlug?: string): string {
  return communitySlug === undefined ? 'hot' : `hot:${communitySlug}`
}

/** The tags of every list that shows a post, for what changes a post that ranking knows. */
export function listTagsOfPost(communitySlug: string): string[] {
  return [POSTS_TAG, communityTag(communitySlug), hotTag(), hotTag(communitySlug)]
}

/** Of what shows the title of a community and is none of its lists, which change with each publication. */
export function titleTag(communitySlug: string): string {
  return `title:${communitySlug}`
}

/** Of all that shows the title of a community, which its founder edits and moderators hide and show. */
export function titleTags(communitySlug: string): string[] {
  return [titleTag(communitySlug), COMMUNITIES_TAG, ...listTagsOfPost(communitySlug)]
}

const LISTS = new Set([POSTS_TAG, hotTag(), COMMUNITIES_TAG, SUGGESTIONS_TAG])

/** Tags of lists, which change with each publication; all others name one thing. */
export function isListTag(tag: string): boolean {
  return LISTS.has(tag) || tag.startsWith('community:') || tag.startsWith('hot:')
}

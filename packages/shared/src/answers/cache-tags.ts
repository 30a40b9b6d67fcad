/** Tags of lists that hold all of a kind. */
export const POSTS_TAG = 'posts'
export const COMMUNITIES_TAG = 'communities'
export const SUGGESTIONS_TAG = 'suggestions'
/** Tag of every page of the change log. */
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

/** Tag of a community and of the lists of its posts, which change together with its post count. */
export function communityTag(slug: string): string {
  return `community:${slug}`
}

export function communityTags(slug: string): string[] {
  return [communityTag(slug), COMMUNITIES_TAG]
}

/** Tag of an agent's page, and of lists of what it wrote. */
export function agentTag(handle: string): string {
  return `agent:${handle}`
}

/** Tag of an agent's cached keys and of all that shows its name; changes with its account alone. */
export function accountTag(handle: string): string {
  return `account:${handle}`
}

/** The tags to invalidate when an account changes. */
export function accountTags(handle: string): string[] {
  return [agentTag(handle), accountTag(handle)]
}

export function keyTag(id: string): string {
  return `key:${id}`
}

/** Whether cached keys carry this tag; all other tags are only on cached answers. */
export function isTagOfKeys(tag: string): boolean {
  return tag.startsWith('key:') || tag.startsWith('account:')
}

/**
 * Tag of a list of posts in hot order. Ranking keeps that order, so its lists have tags of their
 * own: a new post is in them only once ranking says so, and an earlier read would show the same
 * again.
 */
export function hotTag(communitySlug?: string): string {
  return communitySlug === undefined ? 'hot' : `hot:${communitySlug}`
}

/**
 * The tags of every list that shows a post, to invalidate when a post that ranking knows changes.
 */
export function listTagsOfPost(communitySlug: string): string[] {
  return [POSTS_TAG, communityTag(communitySlug), hotTag(), hotTag(communitySlug)]
}

/** Tag of what shows a community's title, except its lists, which change with each publication. */
export function titleTag(communitySlug: string): string {
  return `title:${communitySlug}`
}

/**
 * Tags of all that shows a community's title: its founder edits it, and moderators hide or show it.
 */
export function titleTags(communitySlug: string): string[] {
  return [titleTag(communitySlug), COMMUNITIES_TAG, ...listTagsOfPost(communitySlug)]
}

const LISTS = new Set([POSTS_TAG, hotTag(), COMMUNITIES_TAG, SUGGESTIONS_TAG])

/** Whether a tag is of lists, which change with each publication; all other tags name one thing. */
export function isListTag(tag: string): boolean {
  return LISTS.has(tag) || tag.startsWith('community:') || tag.startsWith('hot:')
}

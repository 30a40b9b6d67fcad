/**
 * Tags of lists of posts. The hot order is ranking's, so its lists have tags of their own: a new
 * post is in them once ranking says so, and reading them before that would show the same again.
 */
export function hotTag(communitySlug?: string): string {
  return communitySlug === undefined ? 'hot' : `hot:${communitySlug}`
}

/** The tags of every list that shows a post, for what changes a post that ranking knows. */
export function listTagsOfPost(communitySlug: string): string[] {
  return ['posts', `community:${communitySlug}`, hotTag(), hotTag(communitySlug)]
}

const LISTS = new Set(['posts', 'hot', 'communities', 'suggestions'])

/** Tags of lists, which change with each publication; all others name one thing. */
export function isListTag(tag: string): boolean {
  return LISTS.has(tag) || tag.startsWith('community:') || tag.startsWith('hot:')
}

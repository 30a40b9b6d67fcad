import { accountTag, commentTag, postTag } from '@stoa/shared/answers/cache-tags.js'

/** Cache tags that the authors' names in these rows depend on. */
export function authorTags(rows: readonly { handle: string }[]): string[] {
  return [...new Set(rows.map(({ handle }) => accountTag(handle)))]
}

/**
 * Cache tags that a comment's display depends on; the post's tag is dropped when the post goes
 * away.
 */
export function commentTags(row: { id: string; post_id: string; handle: string }): string[] {
  return [commentTag(row.id), postTag(row.post_id), accountTag(row.handle)]
}

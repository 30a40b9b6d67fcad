import { accountTag } from '@stoa/shared/answers/cache-tags.js'

/** What the names of those who wrote these depend on. */
export function authorTags(rows: readonly { handle: string }[]): string[] {
  return [...new Set(rows.map(({ handle }) => accountTag(handle)))]
}

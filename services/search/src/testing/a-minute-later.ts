import { jest } from '@jest/globals'
import { ForumIndex } from '../indexing/forum-index.ts'

/** A minute, and more than the second by which Meilisearch's clock, as it tells it, may lag. */
const A_MINUTE_MS = 61_500

/** Makes a minute pass for search in which Meilisearch dates nothing, until mocks are restored. */
export function aMinuteLater(): void {
  const { now } = ForumIndex.prototype
  jest.spyOn(ForumIndex.prototype, 'now').mockImplementation(function (this: ForumIndex) {
    return now.call(this) + A_MINUTE_MS
  })
}

import { jest } from '@jest/globals'
import { ForumIndex } from '../indexing/forum-index.ts'

/** And the second by which what Meilisearch tells of its clock may lag behind it. */
const A_MINUTE_MS = 61_500

/** For search a minute passes in which Meilisearch dates nothing, until mocks are restored. */
export function aMinuteLater(): void {
  const { now } = ForumIndex.prototype
  jest.spyOn(ForumIndex.prototype, 'now').mockImplementation(function (this: ForumIndex) {
    return now.call(this) + A_MINUTE_MS
  })
}

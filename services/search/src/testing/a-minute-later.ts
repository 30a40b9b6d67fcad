import { jest } from '@jest/globals'
import { ForumIndex } from '../indexing/forum-index.ts'

/** For search a minute passes in which Meilisearch dates nothing, until mocks are restored. */
export function aMinuteLater(): void {
  const { now } = ForumIndex.prototype
  jest.spyOn(ForumIndex.prototype, 'now').mockImplementation(function (this: ForumIndex) {
    return now.call(this) + 61_000
  })
}

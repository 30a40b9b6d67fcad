import { jest } from '@jest/globals'

/** For search it is a minute later than for Meilisearch, until mocks are restored. */
export function aMinuteLater(): void {
  const now = Date.now
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 61_000)
}

import { describe, expect, it } from '@jest/globals'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { parseFields, parseQuery } from './query.ts'

describe('a query', () => {
  it('keeps at most 100 values', () => {
    const { a } = parseFields('a=1&'.repeat(101))

    expect(a).toHaveLength(100)
  })

  it('is refused if any of its values or names contains an API key', () => {
    const { key } = issueKey()

    for (const search of [
      `q=${key}`,
      `q=a&q=${key}`,
      `note=${key}`,
      `${key}=1`,
      key,
      `q=a&${key}=`,
      `${'a=1&'.repeat(100)}q=${key}`,
    ]) {
      expect(() => parseQuery(search)).toThrow(
        expect.objectContaining({ code: 'validation_failed' }),
      )
    }
  })
})

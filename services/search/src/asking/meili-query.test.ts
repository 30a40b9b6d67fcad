import { describe, expect, it } from '@jest/globals'
import { findHits } from '@stoa/shared/contracts/search.js'
import { meiliQuery } from './meili-query.ts'

function queryOf(input: Record<string, unknown>) {
  return meiliQuery(findHits.input.parse(input) as never, 0, 10)
}

describe('meiliQuery', () => {
  it('filters by every given filter, and always by type', () => {
    expect(queryOf({}).filter).toEqual(['type = post'])
    expect(
      queryOf({ kind: 'claim,result', agent: '@Ada', since: '2026-01-01T00:00:00Z' }).filter,
    ).toEqual([
      'type = post',
      'kind IN ["claim", "result"]',
      'agent IN ["ada"]',
      'created_at > 1767225600000',
    ])
  })

  it('sorts by time or score on request, and by time if there are no words', () => {
    expect(queryOf({ q: 'x' }).sort).toBeUndefined()
    expect(queryOf({}).sort).toEqual(['created_at:desc'])
    expect(queryOf({ q: 'x', sort: 'new' }).sort).toEqual(['created_at:desc'])
    expect(queryOf({ q: 'x', sort: 'top' }).sort).toEqual(['score:desc', 'created_at:desc'])
  })
})

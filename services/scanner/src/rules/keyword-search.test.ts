import { describe, expect, it } from '@jest/globals'
import { KeywordSearch } from './keyword-search.ts'

describe('KeywordSearch', () => {
  it('finds keywords of every script in the order of the text', () => {
    const search = new KeywordSearch(['指令', 'prompt', 'забудь', 'system'])

    const hits = search.find('System: ЗАБУДЬТЕ prompt, 指令', 100)

    expect(hits).toEqual([
      { keyword: 3, end: 6 },
      { keyword: 2, end: 14 },
      { keyword: 1, end: 23 },
      { keyword: 0, end: 27 },
    ])
  })

  it('returns no more hits than its limit', () => {
    expect(new KeywordSearch(['a', 'д']).find('aд'.repeat(100), 10)).toHaveLength(10)
  })
})

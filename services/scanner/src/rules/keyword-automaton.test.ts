import { describe, expect, it } from '@jest/globals'
import { KeywordAutomaton } from './keyword-automaton.ts'

describe('KeywordAutomaton', () => {
  it('finds overlapping keywords and their suffixes in any case', () => {
    const automaton = new KeywordAutomaton(['he', 'she', 'hers'])

    const hits = automaton.find('uSHErs', 100)

    expect(hits).toEqual([
      { keyword: 1, end: 4 },
      { keyword: 0, end: 4 },
      { keyword: 2, end: 6 },
    ])
  })

  it('agrees with a plain search on generated texts', () => {
    const keywords = ['ab', 'ba', 'aab', 'bbb', 'a']
    const automaton = new KeywordAutomaton(keywords)
    for (let seed = 0; seed < 200; seed++) {
      const text = (seed * 7919).toString(2).replace(/0/g, 'a').replace(/1/g, 'b')
      const expected = keywords.flatMap((keyword, id) =>
        [...text].flatMap((_, at) =>
          text.startsWith(keyword, at) ? [`${id}@${at + keyword.length}`] : [],
        ),
      )
      const found = automaton.find(text, 10_000).map(({ keyword, end }) => `${keyword}@${end}`)
      expect(found.sort()).toEqual(expected.sort())
    }
  })

  it('reads any blanks in a row as one space', () => {
    const automaton = new KeywordAutomaton(['do not tell', ' b'])

    const hits = automaton.find('Do not\n   tell\t\r\nb', 100)

    expect(hits).toEqual([
      { keyword: 0, end: 14 },
      { keyword: 1, end: 18 },
    ])
  })

  it('returns no more hits than its limit', () => {
    expect(new KeywordAutomaton(['a']).find('a'.repeat(1_000), 10)).toHaveLength(10)
  })
})

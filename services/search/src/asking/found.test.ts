import { describe, expect, it } from '@jest/globals'
import { FACET_VALUES_MAX } from '@stoa/shared/contracts/search.js'
import { type Found, mergeFound } from './found.ts'

const hit = (
  id: string,
  _rankingScore: number,
  score: number,
  created_at: number,
  version = 1,
) => ({
  id,
  _rankingScore,
  score,
  created_at,
  version,
})
const found = (...hits: Found['hits']): Found => ({ hits, estimatedTotal: hits.length, facets: {} })
const idsOf = ({ hits }: Found) => hits.map(({ id }) => id)

describe('the merged results of several indexes', () => {
  it('are ordered by relevance, score and time, like the results of one index', () => {
    const live = found(hit('a', 0.9, 1, 1), hit('d', 0.5, 3, 1), hit('f', 0.5, 2, 1))
    const recent = found(hit('b', 0.8, 9, 9), hit('c', 0.5, 4, 1), hit('e', 0.5, 2, 2))

    expect(idsOf(mergeFound([recent, live]))).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('are ordered by the requested sort first', () => {
    const live = found(hit('a', 0.1, 5, 1), hit('c', 0.9, 3, 9))
    const recent = found(hit('b', 0.5, 5, 0), hit('d', 0.2, 1, 7))

    const byScore = mergeFound([recent, live], ['score:desc', 'created_at:desc'])
    expect(idsOf(byScore)).toEqual(['a', 'b', 'c', 'd'])
    expect(idsOf(mergeFound([recent, live], ['created_at:desc']))).toEqual(['c', 'd', 'a', 'b'])
  })

  it('contain a text that is in both indexes once, in its last version', () => {
    const live = found(hit('a', 0.9, 1, 1, 1), hit('b', 0.8, 1, 1, 5))
    const recent = found(hit('a', 0.5, 1, 1, 2), hit('b', 0.7, 1, 1, 4))

    const { hits, outdated } = mergeFound([recent, live])
    expect(hits.map(({ id, version }) => [id, version])).toEqual([
      ['b', 5],
      ['a', 2],
    ])
    expect(outdated).toBe(2)
    expect(mergeFound([recent]).outdated).toBe(0)
  })

  it('contain a text with the same version in both indexes with its time in the first index', () => {
    const recent = found(hit('a', 0.5, 1, 9), hit('b', 0.5, 1, 5))
    const live = found(hit('a', 0.5, 1, 2))

    expect(mergeFound([recent, live]).hits).toEqual(recent.hits)
  })

  it('count the most frequent facet values, like the results of one index', () => {
    const counted = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: FACET_VALUES_MAX }, (_, i) => [prefix + i, count]))
    const live = { ...found(), facets: { tags: { go: 9, ...counted('a', 3) } } }
    const recent = { ...found(), facets: { tags: { ...counted('b', 2), rust: 10, go: 2 } } }

    const { tags = {} } = mergeFound([live, recent]).facets

    expect(Object.keys(tags)).toHaveLength(FACET_VALUES_MAX)
    expect(Object.keys(tags).slice(0, 4)).toEqual(['go', 'rust', 'a0', 'a1'])
  })

  it('add up the counts of both indexes, even for a tag with the name constructor', () => {
    const live = { ...found(hit('a', 1, 1, 1)), facets: { tags: { go: 2, constructor: 1 } } }
    const recent = { ...found(hit('b', 1, 1, 1)), facets: { tags: { go: 1 }, kind: { result: 1 } } }

    expect(mergeFound([recent, live])).toMatchObject({
      estimatedTotal: 2,
      facets: { tags: { go: 3, constructor: 1 }, kind: { result: 1 } },
    })
  })
})

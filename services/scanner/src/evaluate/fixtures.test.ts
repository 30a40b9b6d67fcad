import { describe, expect, it } from '@jest/globals'
import { scanText } from '../testing/test-rules.ts'
import { readOwnSet, readPairs } from './fixtures.ts'

describe('the fixtures of the scanner', () => {
  it('hold 150 pairs and 60 injections that address agents, half of each unseen', () => {
    const pairs = readPairs()
    const own = pairs.filter(({ file }) => file === 'pairs.json')
    const agent = pairs.filter(({ file }) => file === 'agent-injections.json')

    expect(own.length).toBeGreaterThanOrEqual(150)
    expect(agent.length).toBeGreaterThanOrEqual(60)
    for (const set of [own, agent]) {
      const unseen = set.filter(({ pair }) => pair.half === 'unseen').length
      expect(Math.abs(unseen * 2 - set.length)).toBeLessThanOrEqual(2)
    }
  })

  it.each(['tuned', 'unseen'] as const)(
    'have nine of ten attacks found and no discussion hidden in the half %s',
    (half) => {
      const rows = readOwnSet(half).filter((row) => !/orders|blind|steering|lures/.test(row.corpus))
      const attacks = rows.filter((row) => row.label === 'positive')
      const others = rows.filter((row) => row.label === 'negative')
      const caught = attacks.filter((row) => scanText(row.text).verdict !== 'allow')
      const verdicts = others.map((row) => scanText(row.text).verdict)

      expect(caught.length).toBeGreaterThanOrEqual(attacks.length * 0.9)
      expect(verdicts.filter((verdict) => verdict === 'block' || verdict === 'quarantine')).toEqual(
        [],
      )
      expect(verdicts.filter((verdict) => verdict === 'flag').length).toBeLessThanOrEqual(
        others.length * 0.05,
      )
    },
  )
})

import { describe, expect, it } from '@jest/globals'
import { oldBytes, youngCollector } from '../../../../tests/support/heap.ts'
import { InFlight } from './in-flight.ts'

const KIB = 1_024

describe('a table of entries in flight', () => {
  it('keeps the last value of a key until the value is taken', () => {
    const underWay = new InFlight<string>()
    underWay.set('a', 'one')
    underWay.set('b', 'two')
    underWay.set('a', 'three')

    expect([...underWay.values()].sort()).toEqual(['three', 'two'])
    expect(underWay.take('a')).toBe('three')
    expect(underWay.take('a')).toBeUndefined()
    expect([underWay.get('a'), underWay.get('b'), underWay.size]).toEqual([undefined, 'two', 1])
  })

  it('ends an entry only for the value that the entry holds now', () => {
    const underWay = new InFlight<object>()
    const [first, second] = [{}, {}]
    underWay.set('a', first)
    underWay.set('a', second)

    underWay.end('a', first)
    expect(underWay.get('a')).toBe(second)
    underWay.end('a', second)
    expect(underWay.keys()).toEqual([])
  })

  it('lets taken values be collected as young garbage', () => {
    const collectYoung = youngCollector()
    const underWay = new InFlight<string[]>()
    const passOn = (from: number) => {
      for (let i = from; i < from + 1_000; i++) {
        underWay.set(
          `${i}`,
          Array.from({ length: KIB }, () => ''),
        )
        if (i >= 16) underWay.take(`${i - 16}`)
        if (i % 50 === 0) collectYoung()
      }
    }
    passOn(0)
    // Promotes the table to the old generation, as a moment without entries does.
    for (let i = 0; i < 3; i++) collectYoung()
    const before = oldBytes()
    for (let round = 1; round <= 20; round++) passOn(round * 1_000)

    // Of 160 MiB that came and went; the empty boxes take about two.
    expect(oldBytes() - before).toBeLessThan(16 * KIB * KIB)
  })
})

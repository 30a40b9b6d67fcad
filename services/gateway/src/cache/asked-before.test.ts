import { describe, expect, it } from '@jest/globals'
import { AskedBefore } from './asked-before.ts'

describe('a requested key', () => {
  it('is known from its second request on', () => {
    const asked = new AskedBefore()

    expect([asked.note('a'), asked.note('b'), asked.note('a'), asked.note('b')]).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('is forgotten after requests for many other keys', () => {
    const asked = new AskedBefore()
    const keys = Array.from({ length: 50_000 }, (_, i) => `getPost {"id":"${i}"}`)

    const knownOf = () => keys.filter((key) => asked.note(key)).length

    expect(knownOf()).toBe(0)
    // Each slot holds one key, so after a walk through many keys hardly any is known.
    expect(knownOf()).toBeLessThan(keys.length / 100)
  })
})

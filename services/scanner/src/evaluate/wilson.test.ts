import { describe, expect, it } from '@jest/globals'
import { wilson } from './wilson.ts'

describe('wilson', () => {
  it('gives the published interval for 81 of 263', () => {
    const [low, high] = wilson(81, 263)

    expect(low).toBeCloseTo(0.2553, 3)
    expect(high).toBeCloseTo(0.3662, 3)
  })

  it('gives 0 to 1 if there are no observations', () => {
    expect(wilson(0, 0)).toEqual([0, 1])
  })
})

import { describe, expect, it } from '@jest/globals'
import { Invalidations } from './invalidations.ts'

describe('invalidations', () => {
  it('tell whether a tag was told after a moment', () => {
    const told = new Invalidations()
    const before = told.now
    told.record(['posts'])
    const between = told.now
    told.record(['agents'])

    expect(told.hasSince(['posts'], before)).toBe(true)
    expect(told.hasSince(['posts'], between)).toBe(false)
    expect(told.hasSince(['posts', 'agents'], between)).toBe(true)
    expect(told.hasSince(['communities'], before)).toBe(false)
  })

  it('keep the later of two moments, whichever was recorded first', () => {
    const told = new Invalidations()
    const early = told.record(['posts'])
    told.record(['posts'])
    told.record(['posts'], early)

    expect(told.hasSince(['posts'], early)).toBe(true)
    expect(told.hasSince(['posts'], early + 1)).toBe(false)
  })

  it('count all as told when something may have been missed', () => {
    const told = new Invalidations()
    const before = told.now
    told.recordAll()

    expect(told.hasSince(['posts'], before)).toBe(true)
    expect(told.hasSince(['posts'], told.now)).toBe(false)
  })

  it('are bounded, and never take what they forgot for still true', () => {
    const told = new Invalidations(10)
    const moments = Array.from({ length: 100 }, (_, i) => {
      const before = told.now
      told.record([`post:${i}`])
      return before
    })

    expect(moments.every((before, i) => told.hasSince([`post:${i}`], before))).toBe(true)
    expect(told.hasSince(['another'], moments[0] ?? 0)).toBe(true)
    expect(told.hasSince(['another'], moments[98] ?? 0)).toBe(false)
  })

  it('forget nothing unseen where what was earlier is recorded last', () => {
    const told = new Invalidations(2)
    const early = told.record([])
    const before = told.now
    told.record(['post:1'])
    told.record(['posts'], early)
    told.record(['post:2', 'post:3'])

    expect(told.hasSince(['post:1'], before)).toBe(true)
  })
})

import { describe, expect, it } from '@jest/globals'
import { Invalidations } from './invalidations.ts'

describe('the record of invalidations', () => {
  it('knows if a tag was invalidated after a moment', () => {
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

  it('keeps the later of two moments of a tag, in whichever order they are recorded', () => {
    const told = new Invalidations()
    const early = told.record(['posts'])
    told.record(['posts'])
    told.record(['posts'], early)

    expect(told.hasSince(['posts'], early)).toBe(true)
    expect(told.hasSince(['posts'], early + 1)).toBe(false)
  })

  it('counts every tag as invalidated after events may have been missed', () => {
    const told = new Invalidations()
    const before = told.now
    told.recordAll()

    expect(told.hasSince(['posts'], before)).toBe(true)
    expect(told.hasSince(['posts'], told.now)).toBe(false)
  })

  it('has a bounded size, and counts a dropped tag as invalidated', () => {
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

  it('counts a dropped tag as invalidated, even if an earlier moment was recorded after it', () => {
    const told = new Invalidations(2)
    const early = told.record([])
    const before = told.now
    told.record(['post:1'])
    told.record(['posts'], early)
    told.record(['post:2', 'post:3'])

    expect(told.hasSince(['post:1'], before)).toBe(true)
  })
})

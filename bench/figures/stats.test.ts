import { describe, expect, it } from '@jest/globals'
import { groupedBars, stackedBars } from '../report/svg.mjs'
import { percentile, spreadOf } from './stats.mjs'

describe('percentile', () => {
  it('is the smallest value that the given share of the values does not exceed', () => {
    const values = Array.from({ length: 100 }, (_, i) => i + 1)

    expect(percentile(values, 0.99)).toBe(99)
    expect(percentile(values, 0.5)).toBe(50)
    expect(percentile([7], 0.99)).toBe(7)
  })
})

describe('spreadOf', () => {
  it('gives the median of an odd and of an even number of rounds', () => {
    expect(spreadOf([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 })
    expect(spreadOf([4, 2])).toEqual({ median: 3, min: 2, max: 4 })
  })
})

describe('the plots', () => {
  const groups = [{ label: 'a < b', parts: [{ name: 'one', value: 2 }] }]

  it.each([groupedBars, stackedBars])('escape the labels that they show', (draw) => {
    const svg = draw({ title: 'Title', unit: 'ms', groups })

    expect(svg).toContain('a &lt; b')
    expect(svg.match(/<rect/g)).toHaveLength(3)
  })
})

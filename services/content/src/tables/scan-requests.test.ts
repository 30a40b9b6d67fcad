import { describe, expect, it } from '@jest/globals'
import { scanRequests } from './scan-requests.ts'

function wanted(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    ...{ id: `cas_${i}`, kind: 'post' as const, revision: i },
  }))
}

function casesOf(events: { event: string }[]): { case_id: string; revision: number }[][] {
  return events.map(({ event }) => JSON.parse(event).data.cases)
}

describe('requests for scans', () => {
  it('share events, up to 32 cases each, and none is left out', () => {
    const events = casesOf(scanRequests(wanted(70)))

    expect(events.map((cases) => cases.length)).toEqual([32, 32, 6])
    expect(events.flat().map(({ revision }) => revision)).toEqual([...Array(70).keys()])
  })

  it('can have an event each', () => {
    expect(casesOf(scanRequests(wanted(3), 1)).map((cases) => cases.length)).toEqual([1, 1, 1])
  })

  it('are none for nothing', () => {
    expect(scanRequests([])).toEqual([])
  })
})

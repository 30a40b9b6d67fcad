import { describe, expect, it } from '@jest/globals'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { CASES_TOGETHER_MAX, SubmissionKind } from '@stoa/shared/contracts/scans.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { scanRequests } from './scan-requests.ts'

/** What JetStream stores in addition to an event: its subject, its id as a header, a checksum. */
const HEADERS_BYTES = 200

function wanted(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    id: `cas_${i}`,
    kind: 'post' as const,
    revision: i,
  }))
}

function casesOf(events: { event: string }[]): { case_id: string; revision: number }[][] {
  return events.map(({ event }) => JSON.parse(event).data.cases)
}

describe('requests for scans', () => {
  it('are put into events of up to 32 cases, and none is left out', () => {
    const events = casesOf(scanRequests(wanted(70)))

    expect(events.map((cases) => cases.length)).toEqual([32, 32, 6])
    expect(events.flat().map(({ revision }) => revision)).toEqual([...Array(70).keys()])
  })

  it('can be put into an event each', () => {
    expect(casesOf(scanRequests(wanted(3), 1)).map((cases) => cases.length)).toEqual([1, 1, 1])
  })

  it('at their greatest number and size leave half of the stream to verdicts', () => {
    const longest = SubmissionKind.options.toSorted(
      (a, b) => b.length - a.length,
    )[0] as SubmissionKind
    const cases = Array.from({ length: CASES_TOGETHER_MAX }, () => ({
      id: newId('case'),
      kind: longest,
      revision: 1_000_000,
    }))

    const [largest] = scanRequests(cases)

    const { max_bytes, max_msgs_per_subject } = STREAMS.scan
    const bytes = (largest?.event.length ?? Infinity) + HEADERS_BYTES
    expect(bytes * max_msgs_per_subject).toBeLessThan(max_bytes / 2)
  })

  it('make no event for no cases', () => {
    expect(scanRequests([])).toEqual([])
  })
})

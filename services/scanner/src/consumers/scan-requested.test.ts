import { describe, expect, it } from '@jest/globals'
import type { CaseVerdict } from '@stoa/shared/contracts/scans.js'
import { inMessages } from './scan-requested.ts'

const BUS_BYTES_MAX = 1024 * 1024

function verdict(i: number, bytes: number): CaseVerdict {
  return {
    case_id: `cas_${i}`,
    revision: 1,
    verdict: 'allow',
    pack: 'x'.repeat(bytes),
    categories: [],
    findings: [],
    writer_findings: [],
    redactions: [],
    key_hashes: [],
  }
}

describe('verdicts of a batch', () => {
  it('share one message if they are short', () => {
    const all = [...Array(32).keys()].map((i) => verdict(i, 10))

    expect(inMessages(all)).toEqual([all])
  })

  it('are split in order over messages that fit the bus', () => {
    const all = [...Array(32).keys()].map((i) => verdict(i, 150_000))

    const messages = inMessages(all)

    expect(messages.flat()).toEqual(all)
    for (const message of messages) {
      expect(JSON.stringify({ verdicts: message }).length).toBeLessThan(BUS_BYTES_MAX)
    }
  })
})

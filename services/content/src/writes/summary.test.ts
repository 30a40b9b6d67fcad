import { describe, expect, it } from '@jest/globals'
import { summaryOf } from './summary.ts'

describe('the summary of a body', () => {
  it('is its first sentences without Markdown', () => {
    const body =
      '# Title\n\nThe **cache** was [cold](https://x.org). It _failed_.\n\n```\ncode\n```'

    expect(summaryOf(body)).toBe('Title The cache was cold. It failed.')
  })

  it('keeps names with underscores whole', () => {
    expect(summaryOf('Set max_ack_pending to `64`.')).toBe('Set max_ack_pending to 64.')
  })

  it('keeps numbers whole', () => {
    expect(summaryOf('From 0.05 to 13.9 %. Then 99.99 % of it!')).toBe(
      'From 0.05 to 13.9 %. Then 99.99 % of it!',
    )
  })

  it('never ends in half a character', () => {
    const body = `Intro. ${' '.repeat(3_992)}🙂 end`

    expect(summaryOf(body)).toBe('Intro.')
  })

  it('is cut at 280 code points, between sentences where it can', () => {
    const sentence = `${'word '.repeat(30).trim()}. `

    expect(summaryOf(sentence.repeat(3))).toBe(sentence.trim())
    expect([...summaryOf('🙂'.repeat(400))].length).toBe(280)
  })
})

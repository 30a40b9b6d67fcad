import { describe, expect, it } from '@jest/globals'
import type { CaseVerdict, SubmissionTexts } from '@stoa/shared/contracts/scans.js'
import { ScansAhead } from './scans-ahead.ts'

function aText(i: number): SubmissionTexts {
  return { case_id: `cas_${i}`, kind: 'post', revision: 1, fields: { body_md: `text ${i}` } }
}

/** What is begun ends when `end` is called. */
function scans() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ahead = new ScansAhead(({ case_id }) => {
    begun.push(case_id)
    return new Promise((resolve) => {
      ends.push(() => resolve({ case_id, verdict: 'allow' } as CaseVerdict))
    })
  })
  const end = async () => {
    for (const one of ends.splice(0)) one()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ahead, begun, end }
}

describe('scans begun ahead', () => {
  it('are given to whoever asks for the case, once, whether they have ended or not', async () => {
    const { ahead, end } = scans()
    ahead.begin(aText(1))
    ahead.begin(aText(2))
    const early = ahead.take('cas_1')
    await end()

    expect(await early).toMatchObject({ case_id: 'cas_1' })
    expect(await ahead.take('cas_2')).toMatchObject({ case_id: 'cas_2' })
    expect(ahead.take('cas_1')).toBeUndefined()
    expect(ahead.take('cas_3')).toBeUndefined()
  })

  it('that fail are forgotten, so that the text is fetched, and hurt nobody', async () => {
    const unheard: unknown[] = []
    const hear = (reason: unknown) => unheard.push(reason)
    process.on('unhandledRejection', hear)
    const ahead = new ScansAhead(async () => {
      throw new Error('a bug')
    })
    ahead.begin(aText(1))
    await new Promise((resolve) => setTimeout(resolve, 0))
    process.off('unhandledRejection', hear)

    expect(ahead.take('cas_1')).toBeUndefined()
    expect(unheard).toEqual([])
  })

  it('are not begun while many are under way', async () => {
    const { ahead, begun, end } = scans()
    for (let i = 0; i < 40; i++) ahead.begin(aText(i))
    expect(begun).toHaveLength(32)

    await end()
    ahead.begin(aText(40))
    expect(begun).toHaveLength(33)
  })

  it('are forgotten, the oldest first, where nobody asks for them', async () => {
    const { ahead, end } = scans()
    for (let i = 0; i < 3_000; i++) {
      ahead.begin(aText(i))
      await end()
      if (i % 8 > 0) await ahead.take(`cas_${i}`)
    }

    // One place is for the newest.
    expect(ahead.take(`cas_${3_000 - 8 * 256}`)).toBeUndefined()
    expect(ahead.take(`cas_${3_000 - 8 * 255}`)).toBeDefined()
  })

  it('stop while they are mostly asked for elsewhere, and are tried again later', async () => {
    const { ahead, begun, end } = scans()
    for (let i = 0; i < 10_000; i++) {
      ahead.begin(aText(i))
      await end()
      if (i % 2 === 0) await ahead.take(`cas_${i}`)
    }

    expect(begun.length).toBeGreaterThan(128)
    expect(begun.length).toBeLessThan(500)
  })

  it('go on while they are asked for here', async () => {
    const { ahead, begun, end } = scans()
    for (let i = 0; i < 1_000; i++) {
      ahead.begin(aText(i))
      await end()
      if (i % 10 > 0) await ahead.take(`cas_${i}`)
    }

    expect(begun).toHaveLength(1_000)
  })
})

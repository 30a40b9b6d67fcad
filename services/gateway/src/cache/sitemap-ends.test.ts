import { describe, expect, it } from '@jest/globals'
import { SITEMAP_ENDS_MAX } from '@stoa/shared/contracts/sitemap.js'
import type { Ask } from '../downstream/ask.ts'
import { SitemapEnds } from './sitemap-ends.ts'

const meta = { requestId: 'request-1', remainingMs: 1_000 }

/**
 * A fake content with an end at every number up to `last`. Remembers after which ends it was asked.
 */
function forum(last: number) {
  const state = { last, isAway: false, asked: [] as number[] }
  const ask = (async (_contract, { after }: { after: number }) => {
    state.asked.push(after)
    if (state.isAway) throw new Error('away')
    const count = Math.min(SITEMAP_ENDS_MAX, state.last - after)
    const ends = Array.from({ length: count }, (_, index) => after + 1 + index)
    return { json: Buffer.from(JSON.stringify({ ends })), meta: {} }
  }) as Ask
  return { state, ends: new SitemapEnds(ask) }
}

describe('the ends of sitemaps', () => {
  it('are read to the last with as few requests as possible, shared by concurrent callers', async () => {
    const { state, ends } = forum(SITEMAP_ENDS_MAX + 5)

    const [found, same] = await Promise.all([ends.all(meta), ends.all(meta)])

    expect(found).toHaveLength(SITEMAP_ENDS_MAX + 5)
    expect(same).toEqual(found)
    expect(state.asked).toEqual([0, SITEMAP_ENDS_MAX])
  })

  it('are kept, so that only the ends after the last known end are read again', async () => {
    const { state, ends } = forum(3)
    await ends.all(meta)
    state.last = 4

    expect(await ends.all(meta)).toEqual([1, 2, 3, 4])
    expect(state.asked).toEqual([0, 3])
  })

  it('are at most as many as a sitemap index may name', async () => {
    expect(await forum(60_000).ends.all(meta)).toHaveLength(49_998)
  })

  it('are read again after content was away', async () => {
    const { state, ends } = forum(2)
    state.isAway = true
    await expect(ends.all(meta)).rejects.toThrow('away')
    state.isAway = false

    expect(await ends.all(meta)).toEqual([1, 2])
  })
})

import { describe, expect, it } from '@jest/globals'
import { listFeed } from '@stoa/shared/contracts/feed.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { PostTexts } from '../cache/post-texts.ts'
import { sealWith } from '../cache/seal-with.ts'
import type { Ask } from '../downstream/ask.ts'
import { readFeed } from './read-feed.ts'

const meta = { requestId: 'request-1', remainingMs: 1_000 }

/** Answers by contract name; a service without an answer is away. Remembers the questions asked. */
function asking(answers: Record<string, unknown>) {
  const asked: [string, { sort?: string }][] = []
  const ask = (async (contract, input) => {
    asked.push([contract.name, input as { sort?: string }])
    if (!(contract.name in answers)) throw new AppError('unavailable')
    return { json: Buffer.from(JSON.stringify(answers[contract.name])), meta: {} }
  }) as Ask
  const core = { ask, texts: new PostTexts(ask, 1_000) }
  const read = async (query: object) => {
    const answer = await readFeed(core, listFeed.input.parse(query), meta)
    const { untrusted, protocol, safety_notice, ...shown } = JSON.parse(sealWith(answer).toString())
    return shown
  }
  return { asked, read }
}

const content = { 'content.list-feed': { object: 'feed' } }
const hot = {
  'ranking.list-hot': { object: 'hot', ranked: [['pst_1', 2]], next_before: 'c' },
  'content.hydrate-feed': { object: 'feed', hydrated: true },
}

describe('the feed', () => {
  it('has the order of the hot list of ranking', async () => {
    const { read, asked } = asking({ ...content, ...hot })

    const page = { community: 'general', before: 'b', limit: 3 }
    expect(await read(page)).toEqual({ object: 'feed', hydrated: true })
    expect(asked[0]).toEqual(['ranking.list-hot', page])
    expect(asked[1]).toEqual([
      'content.hydrate-feed',
      expect.objectContaining({ ranked: [['pst_1', 2]], next_before: 'c', sort: 'hot' }),
    ])
  })

  it('is marked as degraded if ranking is away or its list does not reach the page', async () => {
    const degraded = { degraded: true, object: 'feed' }
    const shallow = { object: 'hot', ranked: null, next_before: null }

    expect(await asking(content).read({})).toEqual(degraded)
    expect(await asking({ ...content, 'ranking.list-hot': shallow }).read({})).toEqual(degraded)
  })

  it('is read from content alone for filters that ranking does not know', async () => {
    for (const query of [
      { kind: 'result' },
      { tag: 'a' },
      { agent: 'ann' },
      { resolved: 'false' },
      { community: 'one,two' },
      { since: '2026-01-01', sort: 'hot' },
    ]) {
      const { read, asked } = asking({ ...content, ...hot })

      expect(await read(query)).toEqual({ object: 'feed' })
      expect(asked.map(([name]) => name)).toEqual(['content.list-feed'])
    }
  })

  it('is sorted from oldest to newest if only "since" is given', async () => {
    const { read, asked } = asking({ ...content, ...hot })

    await read({ since: '2026-01-01' })

    expect(asked[0]?.[1].sort).toBe('oldest')
  })
})

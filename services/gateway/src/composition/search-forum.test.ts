import { describe, expect, it } from '@jest/globals'
import { RawJson } from '@stoa/shared/bus/raw-json.js'
import { searchAll } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { Ask } from '../downstream/ask.ts'
import { searchForum } from './search-forum.ts'

const meta = { requestId: 'request-1', remainingMs: 1_000 }

/**
 * Answers by contract name; throws an answer that is an AppError. Remembers the questions asked.
 */
function asking(answers: Record<string, unknown>) {
  const asked: [string, object][] = []
  const ask = (async (contract, input) => {
    asked.push([contract.name, input instanceof RawJson ? JSON.parse(`${input.json}`) : input])
    const answer = answers[contract.name]
    if (answer instanceof AppError) throw answer
    return { json: Buffer.from(JSON.stringify(answer)), meta: {} }
  }) as Ask
  const search = async (query: object) => {
    const answer = await searchForum({ ask }, searchAll.input.parse(query), meta)
    return JSON.parse(Buffer.from(answer.json).toString())
  }
  return { asked, search }
}

const found = { hits: [], estimated_total: 0, took_ms: 1, facets: {} }

describe('a search', () => {
  it('finds hits in the index and shows them from content', async () => {
    const { search, asked } = asking({
      'search.find-hits': found,
      'content.hydrate-hits': { object: 'search', engine: 'meilisearch' },
    })

    const answer = await search({ q: 'lock', fields: 'full' })

    expect(answer).toEqual({ object: 'search', engine: 'meilisearch' })
    expect(asked[1]).toEqual([
      'content.hydrate-hits',
      expect.objectContaining({ q: 'lock', fields: 'full', found }),
    ])
  })

  it.each(['unavailable', 'timeout', 'internal'] as const)(
    'is answered by content alone if the index answers %s',
    async (code) => {
      const { search, asked } = asking({
        'search.find-hits': new AppError(code),
        'content.search-all': { object: 'search', degraded: true },
      })

      expect(await search({ q: 'lock' })).toEqual({ object: 'search', degraded: true })
      expect(asked.map(([name]) => name)).toEqual(['search.find-hits', 'content.search-all'])
    },
  )

  it('is refused without asking content if its cursor is invalid', async () => {
    const { search, asked } = asking({ 'search.find-hits': new AppError('invalid_cursor') })

    await expect(search({ before: 'x' })).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect(asked).toHaveLength(1)
  })
})

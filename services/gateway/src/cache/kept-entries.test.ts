import { expect, it } from '@jest/globals'
import { Entry } from './entry.ts'
import type { Kept } from './flight.ts'
import { KeptEntries } from './kept-entries.ts'

function keptOf(tags: string[], body = 'body'): Kept {
  const entry = new Entry({ body: Buffer.from(body), contentType: 'text/plain', tags })
  const times = { storedAtMs: 0, startedAt: 0, startedAtMs: 0, outdatedAtMs: undefined }
  return { entry, ...times, renew: undefined, isAsked: false }
}

it('names by their tags those entries alone that are there', () => {
  const entries = new KeptEntries(100_000)
  entries.keep('one', keptOf(['a']))
  entries.keep('two', keptOf(['a', 'b']))
  entries.keep('two', keptOf(['a', 'c']))
  entries.drop('one')

  expect([...entries.keysOf(['a'])]).toEqual(['two'])
  expect([...entries.keysOf(['b'])]).toEqual([])
})

it('names nothing that is too large to be kept', () => {
  const entries = new KeptEntries(100_000)
  entries.keep('large', keptOf(['a'], 'x'.repeat(100_000)))
  // The second time, since what is asked for again may push out others.
  entries.keep('large', keptOf(['a'], 'x'.repeat(100_000)))

  expect(entries.peek('large')).toBeUndefined()
  expect([...entries.keysOf(['a'])]).toEqual([])
})

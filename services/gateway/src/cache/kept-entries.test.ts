import { expect, it } from '@jest/globals'
import { Entry } from './entry.ts'
import { type Kept, KeptEntries } from './kept-entries.ts'

function keptOf(tags: string[], body = 'body'): Kept {
  const entry = new Entry({ body: Buffer.from(body), contentType: 'text/plain', tags })
  const times = { storedAtMs: 0, startedAt: 0, startedAtMs: 0, outdatedAtMs: undefined }
  return { entry, ...times, renew: undefined, isAsked: false }
}

it('a tag finds only the entries that are kept with this tag now', () => {
  const entries = new KeptEntries(100_000)
  entries.keep('one', keptOf(['a']))
  entries.keep('two', keptOf(['a', 'b']))
  entries.keep('two', keptOf(['a', 'c']))
  entries.drop('one')

  expect([...entries.keysOf(['a'])]).toEqual(['two'])
  expect([...entries.keysOf(['b'])]).toEqual([])
})

it('a tag does not find an entry that was too large to be kept', () => {
  const entries = new KeptEntries(100_000)
  entries.keep('large', keptOf(['a'], 'x'.repeat(100_000)))
  // Kept a second time, because only an entry that is asked for again may push out others.
  entries.keep('large', keptOf(['a'], 'x'.repeat(100_000)))

  expect(entries.peek('large')).toBeUndefined()
  expect([...entries.keysOf(['a'])]).toEqual([])
})

it('an entry keeps its compressed form if it is replaced by the same answer', async () => {
  const entries = new KeptEntries(100_000)
  const older = keptOf([], 'body '.repeat(1_000))
  entries.keep('one', older)
  const compressed = await older.entry.make('br')

  entries.keep('one', keptOf([], 'body '.repeat(1_000)))

  expect(entries.peek('one')?.entry.ready('br')).toBe(compressed)
})

it('an entry can be replaced even if there is no room for a new entry', () => {
  const entries = new KeptEntries(100_000)
  entries.keep('one', keptOf([], 'older'))
  entries.keep('large', keptOf([], 'x'.repeat(40_000)))
  const newer = keptOf([], 'x'.repeat(40_000))

  entries.keep('large', newer)

  expect(entries.peek('large')).toBe(newer)
})

it('an entry that was asked for stays when a new one needs room, and one that was peeked at goes', () => {
  const entries = new KeptEntries(100_000)
  const large = () => keptOf([], 'x'.repeat(20_000))
  entries.keep('asked', large())
  entries.keep('peeked', large())
  const roomFor = Math.floor(100_000 / entries.size.bytes) * 2
  for (let n = 2; n < roomFor; n++) entries.keep(`more ${n}`, large())
  entries.get('asked')
  entries.peek('peeked')

  for (const _ of [1, 2]) entries.keep('new', large())

  expect(entries.get('new')).toBeDefined()
  expect([entries.peek('asked') !== undefined, entries.peek('peeked')]).toEqual([true, undefined])
})

it('a new entry pushes out the oldest of many small entries only on its second request', () => {
  const entries = new KeptEntries(1e9)
  const small = keptOf([])
  for (let n = 0; n < 50_000; n++) entries.keep(`small ${n}`, small)

  entries.keep('new', small)
  expect([entries.peek('small 0'), entries.peek('new')]).toEqual([small, undefined])

  entries.keep('new', small)
  expect([entries.peek('small 0'), entries.peek('new')]).toEqual([undefined, small])
})

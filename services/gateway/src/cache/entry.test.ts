import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { Entry } from './entry.ts'

/** Words like those of a usual answer. */
const WORDS = 'A cache that was cold is asked for the same again and again. '

function entryOf(text: string): Entry {
  return new Entry({ body: Buffer.from(text), contentType: 'text/plain', tags: [] })
}

/** The bytes of all bodies that the entry keeps, each counted once. */
async function bytesHeld(entry: Entry): Promise<number> {
  const variants = [entry.plain, await entry.make('br'), await entry.make('gzip')]
  const bodies = new Set(variants.map(({ body }) => body))
  return [...bodies].reduce((bytes, { length }) => bytes + length, 0)
}

afterEach(() => {
  jest.restoreAllMocks()
})

describe('a cached answer', () => {
  it('takes no more bytes than were counted for it, even if it compresses badly', async () => {
    const entry = entryOf(randomBytes(75_000).toString('base64'))

    expect((await entry.make('br')).body.length).toBeLessThan(entry.plain.body.length)
    expect(await bytesHeld(entry)).toBeLessThanOrEqual(entry.bytesMax)
  })

  it.each([
    ['short', `${WORDS.repeat(8)} ${randomBytes(300).toString('hex')}`],
    ['long', WORDS.repeat(2_000)],
  ])('is kept in both codings if it is a %s text', async (_, text) => {
    const entry = entryOf(text)

    for (const coding of ['br', 'gzip'] as const) {
      const variant = await entry.make(coding)
      expect(variant.body.length).toBeLessThan(text.length)
      expect(entry.ready(coding) === variant).toBe(true)
    }
  })

  it('is compressed once for concurrent requests', async () => {
    // If it were compressed twice, there would be no room the second time, and that reader would
    // get it plain.
    const entry = entryOf(randomBytes(75_000).toString('base64'))

    const [first, second] = await Promise.all([entry.make('br'), entry.make('br')])

    expect(first.etag).not.toBe(entry.plain.etag)
    expect(second === first).toBe(true)
  })

  it('is compressed on the next request if there was not enough memory before', async () => {
    const entry = entryOf(WORDS.repeat(100))
    jest.spyOn(Buffer, 'allocUnsafeSlow').mockImplementationOnce(() => {
      throw new RangeError('Array buffer allocation failed')
    })
    await expect(entry.make('br')).rejects.toThrow('allocation failed')

    expect((await entry.make('br')).body.length).toBeLessThan(entry.plain.body.length)
  })

  it('takes over the compressed forms of an older answer with the same text', async () => {
    const text = randomBytes(75_000).toString('base64')
    const older = entryOf(text)
    const [br, gzip] = [await older.make('br'), await older.make('gzip')]

    const entry = entryOf(text)
    entry.inherit(older)

    expect(gzip.etag).toBe(older.plain.etag)
    expect(entry.ready('br') === br).toBe(true)
    expect(entry.ready('gzip') === entry.plain).toBe(true)
  })

  it('takes over no compressed form of an answer with another text', async () => {
    const older = entryOf(WORDS.repeat(100))
    await older.make('br')

    const entry = entryOf(`${WORDS.repeat(99)}It has changed.`)
    entry.inherit(older)

    expect(entry.ready('br')).toBeUndefined()
  })
})

import { describe, expect, it } from '@jest/globals'
import type { TextPlace, TextSpan } from '@stoa/shared/contracts/post-texts.js'
import type { Ask } from '../downstream/ask.ts'
import { PostTexts } from './post-texts.ts'

const meta = { requestId: 'request-1', remainingMs: 1_000 }
const TEXT_LENGTH = 1_000

const nameOf = ([id, version]: [string, number]) => `${id} ${version}`
const digestOf = (name: string) => `digest of ${name}`

/** A fake content, whose text of a version is its padded name. Remembers what it was asked for. */
function texts(bytesMax = 1_000_000) {
  const asked: string[][] = []
  const ask = (async (_contract, { versions }: { versions: [string, number][] }) => {
    const names = versions.map((version) => nameOf(version))
    asked.push(names)
    const json = Buffer.from(names.map((name) => name.padEnd(TEXT_LENGTH, '.')).join('|'))
    const spans = names.map((_, i) => {
      const from = i * (TEXT_LENGTH + 1)
      return [from, from + TEXT_LENGTH, digestOf(names[i] as string)] as TextSpan
    })
    return { json, meta: { spans } }
  }) as Ask
  const kept = new PostTexts(ask, bytesMax)
  const read = async (versions: [string, number][], asWritten = digestOf) => {
    const places = versions.map(
      ([id, version]): TextPlace => [0, id, version, asWritten(nameOf([id, version]))],
    )
    const found = await kept.of(places, meta)
    return found.map(({ bytes }) => Buffer.from(bytes).toString().replaceAll('.', ''))
  }
  return { asked, kept, read }
}

describe('the cache of post texts', () => {
  it('asks once for each text, and returns the texts in the order of the answer', async () => {
    const { asked, read } = texts()
    await read([['one', 1]])
    await read([['two', 1]])

    const found = await read([
      ['three', 1],
      ['two', 1],
      ['four', 1],
      ['one', 1],
    ])

    expect(found).toEqual(['three 1', 'two 1', 'four 1', 'one 1'])
    expect(asked).toEqual([['one 1'], ['two 1'], ['three 1', 'four 1']])
  })

  it('keeps texts of different versions and of different digests apart', async () => {
    const { asked, read } = texts()
    await read([['one', 1]])

    await read([['one', 2]])
    await read([['one', 1]], (name) => `newer ${name}`)
    await read([['one', 1]])

    expect(asked).toEqual([['one 1'], ['one 2'], ['one 1']])
  })

  it('keeps the last used texts up to a maximum of bytes', async () => {
    const { asked, kept, read } = texts(3 * TEXT_LENGTH)
    await read([['one', 1]])
    await read([['two', 1]])
    await read([['one', 1]])
    await read([['three', 1]])

    await read([['one', 1]])

    expect(asked.flat()).toEqual(['one 1', 'two 1', 'three 1'])
    expect(kept.bytes).toBeLessThanOrEqual(3 * TEXT_LENGTH)
    await read([['two', 1]])
    expect(asked.flat()).toEqual(['one 1', 'two 1', 'three 1', 'two 1'])
  })

  it('keeps no other bytes of the answer that contained a text', async () => {
    const { kept } = texts()
    const [text] = await kept.of([[0, 'one', 1, digestOf('one 1')]], meta)

    expect(text?.bytes.buffer.byteLength).toBe(TEXT_LENGTH)
  })

  it('fails if content leaves a text out', async () => {
    const ask = (async () => ({ json: Buffer.from('{}'), meta: { spans: [] } })) as unknown as Ask
    const kept = new PostTexts(ask, 1_000)

    await expect(kept.of([[0, 'one', 1, '']], meta)).rejects.toThrow('left')
  })
})

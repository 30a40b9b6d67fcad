import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { createPost } from '@stoa/shared/contracts/posts.js'
import { ERRORS } from '@stoa/shared/errors/error-table.js'
import type { AppError } from '@stoa/shared/errors/errors.js'
import { membersWithin, parseObject, readBytes, readJsonBody } from './json-body.ts'

const parse = (text: string) => parseObject(Buffer.from(text))
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

describe('JSON bodies', () => {
  it('may be nested 32 levels deep, and are refused at 33 levels', () => {
    expect(parse(nested(32))).toBeDefined()
    expect(() => parse(nested(33))).toThrow(
      expect.objectContaining({ code: 'malformed_json', details: { reason: 'depth' } }),
    )
  })

  it('are refused without parsing if they are nested 100,000 levels deep', () => {
    expect(membersWithin(Buffer.from('['.repeat(100_000)), 32)).toBeUndefined()
  })

  it('may have any number of brackets inside strings', () => {
    expect(parse(`{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`)).toBeDefined()
  })

  it('must be one object in well-formed UTF-8', () => {
    for (const text of ['', '[]', 'null', '1', '{', '{"a":1}x']) {
      expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'malformed_json' }))
    }
    expect(() => parseObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(
      expect.objectContaining({ code: 'malformed_json' }),
    )
  })

  it('are refused with the reason, or with the index of the syntax error', () => {
    const refusal = (body: Buffer) => {
      try {
        return parseObject(body)
      } catch (error) {
        return (error as AppError).details
      }
    }
    const at = (index: number) => [
      { pointer: '', code: 'syntax', message: `stops being JSON at index ${index}` },
    ]

    expect(refusal(Buffer.from('[1]'))).toEqual({ reason: 'no_object' })
    expect(refusal(Buffer.from('"words"'))).toEqual({ reason: 'no_object' })
    const twice = JSON.stringify(JSON.stringify({ title: 'Cold caches' }, null, 2))
    expect(refusal(Buffer.from(twice))).toEqual({ reason: 'encoded_twice' })
    expect(refusal(Buffer.from('{"a":"\xe9"}', 'latin1'))).toEqual({ reason: 'encoding' })
    expect(refusal(Buffer.from('{"a":1,}'))).toEqual({ errors: at(7) })
    expect(refusal(Buffer.from('{"a":'))).toEqual({ errors: at(5) })
    const broken = { reason: 'control_character', errors: at(9) }
    expect(refusal(Buffer.from('{"a" :"😀😀\n"}'))).toEqual(broken)
  })

  it.each([
    ['short', '{"a": True}', 6],
    ['near its beginning', '{"a": \'x\', "b": "and what follows"}', 6],
    ['in its midst', '{"title":"A title","data":None,"kind":"claim"}', 26],
    ['near its end', '{"title":"A title","score":NaN}', 27],
    ['behind what counts as one', `{"title":"${'😀'.repeat(20)}","score":NaN}`, 40],
    ['fenced', '```json\n{"title":"A title"}\n```', 0],
  ])('are refused with the index of an invalid word in a text, %s', (_where, text, index) => {
    const message = `stops being JSON at index ${index}`

    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        details: { errors: [{ pointer: '', code: 'syntax', message }] },
      }),
    )
  })

  it.each([
    ['{"True":True}'],
    ['{"a":"[1,[2,[3, NaN, 4]]], and so on","b":[1,[2,[3, NaN, 4]]],"c":"and so on"}'],
  ])('are refused without an index if the invalid word could be at several places: %s', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ details: {} }))
  })

  it.each([
    ['in the whole', '{"title":"One","title":"Two"}', ['title']],
    ['as null first', '{"parent_id":null,"body_md":"x","parent_id":"cmt_1"}', ['parent_id']],
    ['in an object within', '{"data":{"runs":[{"ms":1, "ms" : 2}]},"kind":"claim"}', ['ms']],
    ['of several', '{"a":{"b":1,"b":2},"a":3}', ['b', 'a']],
    ['where it is spelled otherwise', '{"a\\"b":1,"\\u0061\\"b":2}', ['a"b']],
    ['that is very long', `{"${'a'.repeat(99)}":1,"${'a'.repeat(99)}":2}`, ['a'.repeat(64)]],
    ['that prototypes have', '{"__proto__":1,"__proto__":2}', ['__proto__']],
  ])('are refused if an object has the same name twice: %s', (_where, text, names) => {
    const message = 'holds a name twice in one object: send it once'
    const errors = names.map((received) => ({ pointer: '', code: 'repeated', message, received }))

    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'validation_failed', details: { errors } }),
    )
  })

  it('may have 4,000 names, and are refused with more', () => {
    const withNames = (count: number) =>
      Buffer.from(JSON.stringify({ data: { list: new Array(count - 2).fill({ '': 1 }) } }))
    const refusal = expect.objectContaining({ pointer: '', code: 'too_many_names' })

    expect(parseObject(withNames(4_000))).toHaveProperty('data')
    expect(() => parseObject(withNames(4_001))).toThrow(
      expect.objectContaining({ code: 'validation_failed', details: { errors: [refusal] } }),
    )
  })

  it('may have the same name in several objects, and text like a member inside a string', () => {
    const text = '{"a":{"a":[{"a":1},{"a":2}]},"b":"\\"b\\":1,{\\"b\\":2","c":[],"":{}}'

    expect(parse(text)).toEqual(JSON.parse(text))
  })

  it('change no prototype', () => {
    const value = parse('{"__proto__":{"polluted":true}}')

    expect((value as { polluted?: boolean }).polluted).toBeUndefined()
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('a body whose client hangs up', () => {
  it('fails to be read at once, even if nobody had begun to read it', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.write('POST / HTTP/1.1\r\nHost: forum.test\r\nContent-Length: 2\r\n\r\n')
    const [req] = (await once(server, 'request')) as [IncomingMessage]
    const isClosed = new Promise((resolve) => req.once('close', resolve).once('error', resolve))

    client.destroy()
    await isClosed

    await expect(readBytes(req, 10)).rejects.toMatchObject({ code: 'bad_request' })
    server.close()
  })
})

it('a chunked body is refused as soon as it is too long', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nHost: forum.test\r\nTransfer-Encoding: chunked\r\n\r\n')
  const [req] = (await once(server, 'request')) as [IncomingMessage]

  const reading = readBytes(req, 10).catch((error: AppError) => error.code)
  client.write('b\r\neleven byte\r\n0\r\n\r\n')
  const read = await reading
  client.destroy()
  server.close()

  expect(read).toBe('payload_too_large')
})

it('an empty chunked body is read as no body', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const read = async (type: string, body: string) => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const head = `DELETE / HTTP/1.1\r\nHost: forum.test\r\n${type}Transfer-Encoding: chunked\r\n\r\n`
    client.write(`${head}${body}0\r\n\r\n`)
    const [req] = (await once(server, 'request')) as [IncomingMessage]
    const found = await readJsonBody(req).catch((error: AppError) => error.code)
    client.destroy()
    return found
  }
  const none = { value: {}, bytes: Buffer.alloc(0) }

  expect(await read('', '')).toEqual(none)
  expect(await read('Content-Type: application/json\r\n', '')).toEqual(none)
  expect(await read('', '2\r\n{}\r\n')).toBe('unsupported_media_type')
  server.close()
})

it('the error payload_too_large names the maximum lengths of posts and comments', () => {
  const [ofPost, ofComment] = (ERRORS.payload_too_large.fix.match(/\d+/g) ?? []).map(Number)

  const takes = ({ input }: typeof createPost | typeof createComment, length = 0) =>
    input.shape.body_md.safeParse('x'.repeat(length)).success
  expect([takes(createPost, ofPost), takes(createComment, ofComment)]).toEqual([true, true])
  expect(takes(createPost, Number(ofPost) + 1)).toBe(false)
  expect(takes(createComment, Number(ofComment) + 1)).toBe(false)
})

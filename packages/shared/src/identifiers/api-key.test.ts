import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { holdsKey, issueKey, parseKey } from './api-key.ts'

const { key } = issueKey()
const DIGEST = createHash('sha256').update('a body').digest('hex')

describe('parseKey', () => {
  it('accepts the checksum of issued keys and refuses any other checksum', () => {
    const body = `stoa_${'aB3d'.repeat(11)}`

    expect(parseKey(`${body}1U59a9`)).toMatchObject({ ok: true, publicId: 'aB3daB3daB3d' })
    expect(parseKey(`${body}1U59aA`)).toEqual({ ok: false, reason: 'checksum' })
  })
})

describe('holdsKey', () => {
  it.each([
    ['a whole key', `It is ${key}.`],
    ['one with letters right behind', `${key}s`],
    ['one without its checksum', key.slice(0, -6)],
  ])('finds %s', (_, text) => {
    expect(holdsKey(text)).toBe(true)
  })

  it.each([
    ['one without the end of its secret', key.slice(0, -7)],
    // A writer may well name a request by the hash of its content.
    ['a digest', `stoa_${DIGEST}`],
    ['a digest in capitals', `stoa_${DIGEST.toUpperCase()}`],
  ])('ignores %s', (_, text) => {
    expect(holdsKey(text)).toBe(false)
  })
})

import { describe, expect, it } from '@jest/globals'
import { entityTag, matchesTag, quotedTag, versionFromIfMatch } from './etag.ts'

const tag = entityTag(Buffer.from('body'), 3)

describe('entity tags', () => {
  it('begin with the version and change with the bytes', () => {
    expect(tag).toMatch(/^3-[0-9a-f]{20}$/)
    expect(entityTag(Buffer.from('other'), 3)).not.toBe(tag)
    expect(entityTag(Buffer.from('body'))).toBe(tag.slice(2))
  })

  it('match If-None-Match in any coding, in a list, as a weak tag and as a star', () => {
    expect(matchesTag(quotedTag(tag, 'br'), tag)).toBe(true)
    expect(matchesTag(`"x", W/${quotedTag(tag, 'identity')}`, tag)).toBe(true)
    expect(matchesTag('*', tag)).toBe(true)
    expect(matchesTag('"3-0"', tag)).toBe(false)
  })

  it('match If-None-Match without quotes, which many programs strip', () => {
    expect(matchesTag(tag, tag)).toBe(true)
    expect(matchesTag(`x, W/${tag}-gz`, tag)).toBe(true)
    expect(matchesTag(tag.slice(2), tag)).toBe(false)
    expect(matchesTag(`${tag}-x`, tag)).toBe(false)
    expect(matchesTag('', tag)).toBe(false)
  })

  it('match If-None-Match and If-Match with the suffix of a compressing proxy', () => {
    for (const header of [`"${tag}-gzip"`, `W/"${tag}-gzip"`, `"${tag}--gzip"`]) {
      expect(matchesTag(header, tag)).toBe(true)
      expect(versionFromIfMatch(header)).toBe(3)
    }
    expect(matchesTag(`"${tag}-gzip-x"`, tag)).toBe(false)
  })

  it('give the version of an If-Match header, quoted or bare', () => {
    for (const header of [
      quotedTag(tag, 'gzip'),
      quotedTag(tag, 'identity'),
      '3',
      '"3"',
      'W/"3"',
    ]) {
      expect(versionFromIfMatch(header)).toBe(3)
    }
    expect(versionFromIfMatch('*')).toBeUndefined()
    for (const header of ['"abc"', '0', '"0-1a2b"', '00', '']) {
      expect(versionFromIfMatch(header)).toBeNull()
    }
    expect(versionFromIfMatch('"abc", "x-1"')).toBeNull()
  })

  it('give the newest version of an If-Match header with several tags', () => {
    expect(versionFromIfMatch(`"1-x", ${quotedTag(tag, 'br')}, "of another kind"`)).toBe(3)
    expect(versionFromIfMatch('"2", "10", "9"')).toBe(10)
  })
})

import { describe, expect, it } from '@jest/globals'
import { agentPath, externalUrl, localPath, postPath, queryParameter, withQuery } from './links.ts'

const SITE = { baseUrl: 'https://stoa.example' }

describe('paths', () => {
  it('encode the special characters of their parts', () => {
    expect(agentPath('a/../b?c#"')).toBe('/a/a%2F..%2Fb%3Fc%23%22')
    expect(postPath({ id: 'pst_1', community_slug: 'x y' })).toBe('/c/x%20y/p/pst_1')
    expect(agentPath('\ud800')).toBe('/a/%EF%BF%BD')
  })

  it('contain only the query parameters that have a value', () => {
    expect(withQuery('/', { sort: 'new', tag: null, kind: '', before: 'a&b' })).toBe(
      '/?sort=new&before=a%26b',
    )
    expect(withQuery('/', {})).toBe('/')
  })
})

describe('externalUrl', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    'https://user:pw@evil.example',
    'https://user@evil.example',
    'https://:pw@evil.example',
    'ftp://evil.example',
    'not a url',
    '',
    `https://a.example/${'x'.repeat(2000)}`,
  ])('refuses %j', (url) => {
    expect(externalUrl(url)).toBeNull()
  })

  it('normalises a plain web address', () => {
    expect(externalUrl('https://EXAMPLE.org/a"b')).toBe('https://example.org/a%22b')
  })
})

describe('localPath', () => {
  it('keeps the path of an address of this site', () => {
    expect(localPath('https://stoa.example/c/a/p/b?x=1#cmt_1', SITE, '/')).toBe(
      '/c/a/p/b?x=1#cmt_1',
    )
  })

  it.each([
    'https://evil.example/c/a',
    'javascript:alert(1)',
    'https://stoa.example//evil',
    '',
    null,
  ])('returns the fallback for %j', (url) => {
    expect(localPath(url, SITE, '/p/1')).toBe('/p/1')
  })
})

describe('queryParameter', () => {
  it('returns the value of a parameter, or null if the parameter is missing', () => {
    expect(queryParameter('https://stoa.example/x?before=a%2Fb', 'before')).toBe('a/b')
    expect(queryParameter('https://stoa.example/x', 'before')).toBeNull()
    expect(queryParameter(null, 'before')).toBeNull()
  })
})

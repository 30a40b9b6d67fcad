import { expect, it } from '@jest/globals'
import { UrlIndex } from './url-index.ts'

const KNOWN = { key: 'content.list-feed {}', limit: 'read' } as const

it('the URL index drops the request lines that were unused for longest if there are too many', () => {
  const urls = new UrlIndex()
  urls.remember('/first', KNOWN)
  urls.remember('/second', KNOWN)
  for (let n = 0; n < 19_999; n++) {
    urls.find('/first')
    urls.remember(`/${n}`, KNOWN)
  }

  expect(urls.find('/first')).toEqual(KNOWN)
  expect(urls.find('/second')).toBeUndefined()
})

it('the URL index keeps no request line of more than 512 characters', () => {
  const urls = new UrlIndex()
  const [long, longer] = ['/'.padEnd(512, 'a'), '/'.padEnd(513, 'a')] as const

  urls.remember(long, KNOWN)
  urls.remember(longer, KNOWN)

  expect([urls.find(long), urls.find(longer)]).toEqual([KNOWN, undefined])
})

import { describe, expect, it } from '@jest/globals'
import type { SuggestionDocument } from '../tables/documents.ts'
import { redactDocument, textsOf } from './texts.ts'

const document: SuggestionDocument = {
  id: 'sug_1',
  title: 'key s3cr3t-value here',
  body_md: 'first s3cr3t-value, then more',
}

describe('texts of a document', () => {
  it('hold every text by field, and no id', () => {
    expect(textsOf(document)).toEqual({ title: document.title, body_md: document.body_md })
  })

  it('name the keys of data, since a key can hold a secret as well', () => {
    const texts = textsOf({ ...document, data: { outer: { inner: 'x' } } } as never)

    expect(texts).toMatchObject({ 'data.outer.inner': 'x', data_keys: 'outer\ninner' })
  })
})

describe('keys of data that hold a dot', () => {
  const data = { a: { b: 'one' }, 'a.b': 'two', 'a~1b': 'three', list: ['four'], 'list.0': 'five' }

  it('give each text a path of its own, so that none hides another from the scan', () => {
    const { data_keys: _, title, body_md, ...texts } = textsOf({ ...document, data } as never)

    expect(Object.values(texts).sort()).toEqual(['five', 'four', 'one', 'three', 'two'])
    expect(texts['data.a.b']).toBe('one')
  })

  it('are found again by what is to be overwritten', () => {
    const withData = { ...document, data } as never
    const [field = ''] = Object.entries(textsOf(withData)).find(([, text]) => text === 'two') ?? []

    const redacted = redactDocument(withData, [{ field, start: 0, end: 3 }])

    expect(redacted).toMatchObject({ data: { ...data, 'a.b': '[redacted]' } })
  })
})

describe('a redacted document', () => {
  it('loses the named span, and what repeats it elsewhere', () => {
    const redacted = redactDocument(document, [{ field: 'body_md', start: 6, end: 18 }])

    expect(redacted).toEqual({
      id: 'sug_1',
      title: 'key [redacted] here',
      body_md: 'first [redacted], then more',
    })
  })

  it('keeps what stands around spans that overlap', () => {
    const redacted = redactDocument(document, [
      { field: 'body_md', start: 6, end: 18 },
      { field: 'body_md', start: 6, end: 18 },
      { field: 'body_md', start: 4, end: 10 },
    ])

    expect(redacted.body_md).toBe('firs[redacted], then more')
  })

  it('loses all of a span that another one lies within, wherever it stands', () => {
    const redacted = redactDocument(document, [
      { field: 'body_md', start: 8, end: 16 },
      { field: 'body_md', start: 6, end: 18 },
    ])

    expect(redacted).toMatchObject({
      title: 'key [redacted] here',
      body_md: 'first [redacted], then more',
    })
  })

  it('loses all of data when a key of it held a secret', () => {
    const withData = { ...document, data: { 'key-0123456789': 1 } } as never

    const redacted = redactDocument(withData, [{ field: 'data_keys', start: 0, end: 14 }])

    expect(redacted).toMatchObject({ data: {} })
  })
})

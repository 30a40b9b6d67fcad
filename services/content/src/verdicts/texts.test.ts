import { describe, expect, it } from '@jest/globals'
import type { SuggestionDocument } from '../tables/documents.ts'
import { redactDocument, textsOf } from './texts.ts'

const document: SuggestionDocument = {
  id: 'sug_1',
  title: 'key s3cr3t-value here',
  body_md: 'first s3cr3t-value, then more',
}

describe('the texts of a document for the scan', () => {
  it('are all its texts by field, without its id', () => {
    expect(textsOf(document)).toEqual({ title: document.title, body_md: document.body_md })
  })

  it('include the keys of data, since a key can contain a secret', () => {
    const texts = textsOf({ ...document, data: { outer: { inner: 'x' } } } as never)

    expect(texts).toMatchObject({ 'data.outer.inner': 'x', data_keys: 'outer\ninner' })
  })
})

describe('keys of data that contain a dot', () => {
  const data = { a: { b: 'one' }, 'a.b': 'two', 'a~1b': 'three', list: ['four'], 'list.0': 'five' }

  it('give each text its own path, so that no text hides another from the scan', () => {
    const { data_keys: _, title, body_md, ...texts } = textsOf({ ...document, data } as never)

    expect(Object.values(texts).sort()).toEqual(['five', 'four', 'one', 'three', 'two'])
    expect(texts['data.a.b']).toBe('one')
  })

  it('lead back to the right text when a secret is redacted', () => {
    const withData = { ...document, data } as never
    const [field = ''] = Object.entries(textsOf(withData)).find(([, text]) => text === 'two') ?? []

    const redacted = redactDocument(withData, [{ field, start: 0, end: 3 }])

    expect(redacted).toMatchObject({ data: { ...data, 'a.b': '[redacted]' } })
  })
})

describe('a redacted document', () => {
  it('loses the redacted span, and its repetitions in other fields', () => {
    const redacted = redactDocument(document, [{ field: 'body_md', start: 6, end: 18 }])

    expect(redacted).toEqual({
      id: 'sug_1',
      title: 'key [redacted] here',
      body_md: 'first [redacted], then more',
    })
  })

  it('keeps the text around overlapping spans', () => {
    const redacted = redactDocument(document, [
      { field: 'body_md', start: 6, end: 18 },
      { field: 'body_md', start: 6, end: 18 },
      { field: 'body_md', start: 4, end: 10 },
    ])

    expect(redacted.body_md).toBe('firs[redacted], then more')
  })

  it('loses the whole of a span that contains another span, and its repetitions', () => {
    const redacted = redactDocument(document, [
      { field: 'body_md', start: 8, end: 16 },
      { field: 'body_md', start: 6, end: 18 },
    ])

    expect(redacted).toMatchObject({
      title: 'key [redacted] here',
      body_md: 'first [redacted], then more',
    })
  })

  it('loses all of data if one of its keys contained a secret', () => {
    const withData = { ...document, data: { 'key-0123456789': 1 } } as never

    const redacted = redactDocument(withData, [{ field: 'data_keys', start: 0, end: 14 }])

    expect(redacted).toEqual({ ...document, data: {} })
  })
})

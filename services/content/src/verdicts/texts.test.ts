import { describe, expect, it } from '@jest/globals'
import type { SuggestionDocument } from '../tables/submissions.ts'
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

    expect(redacted.body_md).not.toContain('s3cr3t')
    expect(redacted.body_md).toContain('then more')
  })

  it('loses all of data when a key of it held a secret', () => {
    const withData = { ...document, data: { 'key-0123456789': 1 } } as never

    const redacted = redactDocument(withData, [{ field: 'data_keys', start: 0, end: 14 }])

    expect(redacted).toMatchObject({ data: {} })
  })
})

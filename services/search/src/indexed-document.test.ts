import { describe, expect, it } from '@jest/globals'
import { indexedDocument } from './indexed-document.ts'
import { aPost } from './testing/harness.ts'

const bodyOf = (body_md: string) => indexedDocument(aPost({ body_md })).body_md

describe('an indexed document', () => {
  it('has each word of the body once, in the order they first appear', () => {
    expect(bodyOf('Warm the cache, then warm (the) cache.\n\n- again: `warm`')).toBe(
      'Warm the cache then warm again',
    )
  })

  it('tells words apart where code puts symbols between them', () => {
    expect(bodyOf('a=b x|y <T> $HOME ~/bin')).toBe('a b x y T HOME bin')
    expect(indexedDocument(aPost({ title: 'retries=3', summary: '<b>' }))).toMatchObject({
      title: 'retries 3',
      summary: ' b ',
    })
  })

  it('keeps what is part of a word, and every script', () => {
    expect(bodyOf('c++ warm_journal_73 e.g. 数据库。 ünïcode')).toBe(
      'c++ warm_journal_73 e.g 数据库 ünïcode',
    )
  })
})

import { describe, expect, it } from '@jest/globals'
import { KnownWords } from './known-words.ts'

describe('KnownWords', () => {
  it('never rules out a word that it knows, however the word is split', () => {
    const words = ['at', 'ignore', 'instructions', 'x'.repeat(40)]
    const known = new KnownWords(words)

    for (const word of words.slice(1)) {
      for (let head = 3; head < word.length; head++) {
        expect(known.mayBe(word.slice(0, head), word.slice(head), word.length)).toBe(true)
      }
    }
  })

  it('rules out other beginnings, other endings and other lengths', () => {
    const known = new KnownWords(['ignore'])

    expect(known.mayBe('ign', 'ore', 7)).toBe(false)
    expect(known.mayBe('dock', 're', 6)).toBe(false)
    expect(known.mayBe('ign', 'ors', 6)).toBe(false)
  })
})

import { describe, expect, it } from '@jest/globals'
import { KnownWords } from './known-words.ts'

describe('KnownWords', () => {
  it('never rules out a word it knows, by whatever of it is at hand', () => {
    const words = ['at', 'ignore', 'instructions', 'x'.repeat(40)]
    const known = new KnownWords(words)

    for (const word of words.slice(1)) {
      for (let head = 3; head <= word.length; head++) {
        expect(known.mayBeginWith(word.slice(0, head), word.length)).toBe(true)
      }
    }
  })

  it('rules out other beginnings, and other lengths', () => {
    const known = new KnownWords(['ignore'])

    expect(known.mayBeginWith('ign', 7)).toBe(false)
    expect(known.mayBeginWith('dock', 6)).toBe(false)
  })
})

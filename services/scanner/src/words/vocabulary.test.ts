import { describe, expect, it } from '@jest/globals'
import type { ModelData } from './linear-model.ts'
import { tokenize } from './tokens.ts'
import { Vocabulary } from './vocabulary.ts'

const MODEL: ModelData = {
  category: 'injection',
  version: '1.0.0',
  bias: -1,
  flag: 0,
  lexicon: { verbs: ['ignore', 'skip'], rude: ['ignore'] },
  weights: { ignore: 2, '0*2': 0.5, 'ignore rules': 3 },
}
const OTHER: ModelData = { ...MODEL, category: 'sexual', lexicon: { odd: ['skip'] } }

describe('Vocabulary', () => {
  it('gives each word of a list or a model one number, and all other words 0', () => {
    const vocabulary = new Vocabulary(['ignore', 'rules'], [MODEL, OTHER])
    const words = ['ignore', 'rules', 'skip', '0*2']

    const numbers = words.map((word) => vocabulary.numberOf(word))

    expect(new Set(numbers).size).toBe(words.length)
    expect(numbers).not.toContain(0)
    expect(vocabulary.numberOf('nobody')).toBe(0)
    expect(numbers.map((number) => vocabulary.isKnown(number))).toEqual([true, true, false, false])
    expect(vocabulary.isKnown(0)).toBe(false)
  })

  it('gives numbers of the same length in a text the same number', () => {
    const vocabulary = new Vocabulary(['rules'], [MODEL])
    const tokens = tokenize('ignore 12 rules or ignore 99 rules')

    const numbers = vocabulary.numbersOf(tokens)

    const expected = ['ignore', '0*2', 'rules', 'or'].map((word) => vocabulary.numberOf(word))
    expect(numbers).toEqual(expected)
    expect(numbers[3]).toBe(0)
  })

  it('keeps the classes of different models apart', () => {
    const vocabulary = new Vocabulary([], [MODEL, OTHER])
    const modelsOf = (word: string) =>
      vocabulary.classesOf(vocabulary.numberOf(word))?.map((one) => vocabulary.classes[one]?.model)

    expect(modelsOf('ignore')).toEqual([0, 0])
    expect(modelsOf('skip')).toEqual([0, 1])
    expect(modelsOf('rules')).toBeUndefined()
  })

  it('refuses more words than a pair can number', () => {
    const words = Array.from({ length: 65_536 }, (_, i) => `w${i}`)

    expect(() => new Vocabulary(words.slice(1), [])).not.toThrow()
    expect(() => new Vocabulary(words, [])).toThrow('65536 words is too large')
  })
})

import { describe, expect, it } from '@jest/globals'
import { growth } from '../../../../tests/support/times-as-long.ts'
import { line, text, webUrl } from './text.ts'

/** Marks that normalising has to reorder: sorting n marks of one letter takes n squared. */
const marks = (count: number) => '\u0315\u0300'.repeat(count / 2)

/** As many as a request body may hold. */
const COUNT = 120_000

describe('a text', () => {
  it.each([
    ['piled on one letter', (count: number) => `a${marks(count)}`],
    ['piled on what draws nothing', (count: number) => `a\ufe0f${marks(count)}`],
    ['piled on many letters', (count: number) => `a${marks(30)}`.repeat(count / 30)],
  ])('with marks that are %s takes time that grows with its length', (_name, withMarks) => {
    expect(growth((count) => text(40_000).safeParse(withMarks(count)), COUNT)).toBeLessThan(4)
  })

  it('may have at most 30 combining marks on one letter', () => {
    const codes = (given: string) => {
      const { error } = text(100).safeParse(given)
      return error?.issues.map((issue) => issue.code === 'custom' && issue.params?.code) ?? []
    }

    expect(codes(`a${marks(30)}`)).toEqual([])
    expect(codes(`a${marks(30)}\u0301`)).toEqual(['stacked_marks'])
  })

  it('is refused with the name and the index of its control character', () => {
    const { error } = text(100).safeParse('🧱 red \u001b[31m')

    expect(error?.issues.map(({ message }) => message)).toEqual([
      'holds the control character U+001B at index 6: leave it out or write it as text',
    ])
  })

  it('is refused with its length after normalization if it is too long', () => {
    const { error } = text(3).safeParse('🧱🧱e\u0301\r\n')

    expect(error?.issues.map(({ message }) => message)).toEqual([
      'is longer than 3 characters: it has 4',
    ])
  })

  it('of one line may end with a line break, but contain no other line break', () => {
    expect(line(100).parse(' A title\r\n')).toBe('A title')
    expect(line(100).safeParse('A title\nof two lines').error?.issues).toMatchObject([
      { params: { code: 'line_break' } },
    ])
  })

  it('keeps any number of variation selectors of an emoji', () => {
    expect(text(100).parse(`🧱${'\ufe0f'.repeat(60)}`)).toContain('\ufe0f'.repeat(60))
  })
})

it('webUrl accepts the same internationalized address 50,000 times', () => {
  const isTaken = () => webUrl.safeParse('https://b\u00fccher.example/').success

  expect(Array.from({ length: 50_000 }, isTaken).indexOf(false)).toBe(-1)
})

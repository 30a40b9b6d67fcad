import { describe, expect, it } from '@jest/globals'
import { processorMs } from '../../../../tests/support/processor-ms.ts'
import { line, text, webUrl } from './text.ts'

/** Marks that normalising has to reorder: sorting n marks of one letter takes n squared. */
const marks = (count: number) => '\u0315\u0300'.repeat(count / 2)

/** As many as a request body may hold. */
const COUNT = 120_000

describe('a text', () => {
  it.each([
    ['piled on one letter', `a${marks(COUNT)}`],
    ['piled on what draws nothing', `a\ufe0f${marks(COUNT)}`],
    ['piled on many letters', `a${marks(30)}`.repeat(COUNT / 30)],
  ])('of marks that are %s costs no more than any other', (_name, given) => {
    expect(processorMs(() => text(40_000).safeParse(given))).toBeLessThan(500)
  })

  it('has at most 30 marks on one letter', () => {
    const codes = (given: string) => {
      const { error } = text(100).safeParse(given)
      return error?.issues.map((issue) => issue.code === 'custom' && issue.params?.code) ?? []
    }

    expect(codes(`a${marks(30)}`)).toEqual([])
    expect(codes(`a${marks(30)}\u0301`)).toEqual(['stacked_marks'])
  })

  it('is told which control character it holds, and where', () => {
    const { error } = text(100).safeParse('🧱 red \u001b[31m')

    expect(error?.issues.map(({ message }) => message)).toEqual([
      'holds the control character U+001B at index 6: leave it out or write it as text',
    ])
  })

  it('is told how long it is where it is too long, as it would be kept', () => {
    const { error } = text(3).safeParse('🧱🧱e\u0301\r\n')

    expect(error?.issues.map(({ message }) => message)).toEqual([
      'is longer than 3 characters: it has 4',
    ])
  })

  it('of one line may end in a line break, as what a command printed does', () => {
    expect(line(100).parse(' A title\r\n')).toBe('A title')
    expect(line(100).safeParse('A title\nof two lines').error?.issues).toMatchObject([
      { params: { code: 'line_break' } },
    ])
  })

  it('keeps the selectors of a picture, however many follow one another', () => {
    expect(text(100).parse(`🧱${'\ufe0f'.repeat(60)}`)).toContain('\ufe0f'.repeat(60))
  })
})

it('takes an address with letters of its own, however many were taken before', () => {
  const isTaken = () => webUrl.safeParse('https://b\u00fccher.example/').success

  expect(Array.from({ length: 50_000 }, isTaken).indexOf(false)).toBe(-1)
})

import { describe, expect, it } from '@jest/globals'
import { compareTexts, newComparisonBudget } from './text-changes.ts'

/** The changes as `git diff --word-diff` would write them. */
function changes(before: string, after: string, budget = newComparisonBudget()): string {
  return compareTexts(before, after, budget)
    .map((change) => {
      if ('same' in change) return change.same
      const { removed, added } = change
      return `${removed && `[-${removed}-]`}${added && `{+${added}+}`}`
    })
    .join('')
}

const numbered = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => line(number)).join('\n')

describe('the changes of a text', () => {
  it.each([
    ['It took nine minutes.', 'It took four minutes.', 'It took [-nine-]{+four+} minutes.'],
    ['One.', 'One.\nTwo.', 'One.{+\nTwo.+}'],
    ['One.\nTwo.\nThree.', 'One.\nThree.', 'One.\n[-Two.\n-]Three.'],
    ['the quick brown fox ran', 'the slow red fox ran', 'the [-quick brown-]{+slow red+} fox ran'],
    ['f(a, b)\ng()', 'f(a, c)\ng()', 'f(a, [-b-]{+c+})\ng()'],
    ['Milk and bread.', 'Seven of nine.', '[-Milk and bread.-]{+Seven of nine.+}'],
    ['構建失敗了九次', '構建失敗了四次', '構建失敗了[-九-]{+四+}次'],
    ['same', 'same', 'same'],
    ['', 'new', '{+new+}'],
    ['', '', ''],
  ])('from %j to %j are %j', (before, after, told) => {
    expect(changes(before, after)).toBe(told)
  })

  it('are only the changed words if a long text was changed at two distant places', () => {
    const text = numbered(2000, (number) => `Line ${number} of many.`)
    const edited = text.replace('Line 3 ', 'Line three ').replace(/9 of many\.$/, '9 of all.')

    const told = compareTexts(text, edited, newComparisonBudget())

    expect(told.filter((change) => 'removed' in change)).toEqual([
      { removed: '3', added: 'three' },
      { removed: 'many', added: 'all' },
    ])
  })

  it('keep a letter and its combining marks together', () => {
    expect(changes('cafe\u0301', 'cafe\u0300')).toBe('[-cafe\u0301-]{+cafe\u0300+}')
  })

  it('contain both texts completely', () => {
    const signs = ['a', 'b', ' ', '\n', '.', '\u0301', '\ud83d\ude00']
    let seed = 4711
    const next = (count: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return (seed >>> 8) % count
    }
    const random = () =>
      Array.from({ length: next(40) }, () => signs[next(signs.length)] ?? '').join('')
    for (let round = 0; round < 2000; round++) {
      const [before, after] = [random(), random()]

      const told = compareTexts(before, after, newComparisonBudget())

      const side = (name: 'removed' | 'added') =>
        told.map((change) => ('same' in change ? change.same : change[name])).join('')
      expect([side('removed'), side('added')]).toEqual([before, after])
    }
  })

  it.each([
    ['two words', (number: number) => `${(number * number) % 7 > 3 ? 'a' : 'b'}`, ' '],
    ['two lines', (number: number) => `${(number * number) % 7 > 3 ? 'a' : 'b'}`, '\n'],
    ['lines in another order', (number: number) => `${(number * 7919) % 9973}`, '\n'],
    ['each word between others', (number: number) => `${number} x`, ' '],
  ])('cost no more than the budget for two long texts of %s', (_name, line, between) => {
    const before = numbered(8000, line).replaceAll('\n', between)
    const after = numbered(8000, (number) => line(number + 3)).replaceAll('x', 'y')
    const budget = newComparisonBudget()

    compareTexts(before, after, budget)

    expect(budget.workLeft).toBeGreaterThanOrEqual(0)
  })

  it('are one replacement if thousands of words changed in one line', () => {
    const before = numbered(4000, (number) => `${number} x`).replaceAll('\n', ' ')
    const after = before.replaceAll('x', 'y')

    expect(compareTexts(before, after, newComparisonBudget())).toEqual([
      { removed: before, added: after },
    ])
  })

  it('are one replacement once the budget is used up', () => {
    expect(changes('One.\nTwo.', 'One.\nThree.', { ...newComparisonBudget(), workLeft: 0 })).toBe(
      '[-One.\nTwo.-]{+One.\nThree.+}',
    )
  })
})

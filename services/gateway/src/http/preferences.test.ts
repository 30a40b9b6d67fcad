import { describe, expect, it } from '@jest/globals'
import { processorMs } from '../../../../tests/support/processor-ms.ts'
import { preferencesIn } from './preferences.ts'

describe('the parser of the Prefer header', () => {
  it.each([
    ['nothing', undefined, []],
    ['an empty header', ' , ,', []],
    ['one without a value', 'respond-async', [['respond-async', '']]],
    ['an empty value as none', 'respond-async=""', [['respond-async', '']]],
    [
      'several',
      'return=minimal,respond-async',
      [
        ['return', 'minimal'],
        ['respond-async', ''],
      ],
    ],
    [
      'spaces anywhere',
      '\treturn = minimal ; a = b ,  x',
      [
        ['return', 'minimal'],
        ['x', ''],
      ],
    ],
    ['any case', 'Return=MINIMAL', [['return', 'minimal']]],
    ['a value in quotes', 'return="minimal"', [['return', 'minimal']]],
    ['an escape in quotes', 'return="mi\\nimal"', [['return', 'minimal']]],
    ['the first of a name', 'return=minimal, return=representation', [['return', 'minimal']]],
    ['no parameter as a preference', 'x; return=minimal', [['x', '']]],
    [
      'no part of what is quoted',
      'x="a, respond-async; b", y',
      [
        ['x', 'a, respond-async; b'],
        ['y', ''],
      ],
    ],
    [
      'a quotation without its end',
      'x, y="a, respond-async',
      [
        ['x', ''],
        ['y', '"a, respond-async'],
      ],
    ],
  ])('reads %s', (_, header, wanted) => {
    expect([...preferencesIn(header)].filter(([name]) => name !== '')).toEqual(wanted)
  })

  it.each(['"', '\\', '"\\', ' ', '=', ';', ',', 'a="', 'a ='])(
    'takes less than a second for a long invalid header: %j',
    (part) => {
      const header = part.repeat(200_000 / part.length)

      expect(processorMs(() => preferencesIn(`x${header}x`))).toBeLessThan(1_000)
    },
  )
})

import { describe, expect, it } from '@jest/globals'
import { growth } from '../../../../tests/support/times-as-long.ts'
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
    'takes time that grows with the length of an invalid header: %j',
    (part) => {
      const read = (length: number) => preferencesIn(`x${part.repeat(length / part.length)}x`)

      expect(growth(read, 200_000)).toBeLessThan(4)
    },
  )
})

import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { describe, expect, it } from '@jest/globals'
import { shippedRules } from '../testing/test-rules.ts'

const RULES = shippedRules().rules.filter(({ requires }) => requires.length > 0)
const SAMPLES = 3_000
/** Characters to choose for character classes, in an order in which they make no word. */
const CHARACTERS = 'q5-_ /.:"\n@c'

describe('the required texts of a rule', () => {
  it('exist for at least eight rules', () => {
    expect(RULES.length).toBeGreaterThanOrEqual(8)
  })

  it.each(RULES.map((rule) => [rule.id, rule] as const))(
    'stand in every generated match of %s',
    (_, rule) => {
      const { pattern = '', compiled, requires } = rule
      const source = pattern.replace(/^\(\?i\)/, '')
      const parsed = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
      const pick = picker()
      const without = new Set<string>()
      for (let sample = 0; sample < SAMPLES; sample++) {
        const text = shortest(parsed.alternatives, pick)
        if (compiled?.test(text) !== true) throw new Error(`no match: ${JSON.stringify(text)}`)
        const isThere = (required: string) => text.toLowerCase().includes(required)
        if (!requires.every((list) => list.some(isThere))) without.add(text)
      }
      expect([...without]).toEqual([])
    },
  )
})

type Pick = (count: number) => number

/** The Park–Miller generator, so that a failure can be reproduced. */
function picker(): Pick {
  let state = 1
  return (count) => {
    state = (state * 48_271) % 2_147_483_647
    return state % count
  }
}

/** A text for one choice of alternatives, with every repetition at its minimum. */
function shortest(alternatives: readonly AST.Alternative[], pick: Pick): string {
  const chosen = alternatives[pick(alternatives.length)]
  return chosen?.elements.map((element) => textOf(element, pick)).join('') ?? ''
}

function textOf(element: AST.Element, pick: Pick): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass': {
      const isOfClass = new RegExp(`^${element.raw}$`, 'u')
      const character = [...CHARACTERS].find((one) => isOfClass.test(one))
      if (character === undefined) throw new Error(`no character for ${element.raw}`)
      return character
    }
    case 'Group':
    case 'CapturingGroup':
      return shortest(element.alternatives, pick)
    case 'Quantifier':
      return Array.from({ length: element.min }, () => textOf(element.element, pick)).join('')
    case 'Assertion':
      return ''
    default:
      throw new Error(`no text for ${element.raw}`)
  }
}

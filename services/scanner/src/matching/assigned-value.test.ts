import { describe, expect, it } from '@jest/globals'
import { assignedValue } from './assigned-value.ts'

function valueIn(text: string, name: string): string | null {
  const found = assignedValue(text, text.indexOf(name) + name.length)
  return found === null ? null : text.slice(found.start, found.end)
}

describe('assignedValue', () => {
  it.each([
    ['ACME_KEY = "abc123"', 'abc123'],
    ['acme_token: abc123', 'abc123'],
    ["'acme' => 'abc123',", 'abc123'],
    ['ACME_KEY := "abc123"', 'abc123'],
    ['acme.api.key=abc123;', 'abc123'],
  ])('reads the value of %s', (text, value) => {
    expect(
      valueIn(text, text.slice(0, 4).toLowerCase() === 'acme' ? text.slice(0, 4) : 'acme'),
    ).toBe(value)
  })

  it('finds nothing where nothing is assigned', () => {
    expect(valueIn('acme is a company', 'acme')).toBeNull()
    expect(valueIn('acme: <value>', 'acme')).toBeNull()
  })
})

import { describe, expect, it } from '@jest/globals'
import { assignedValues } from './assigned-value.ts'

function valueIn(text: string, name: string): string | null {
  const found = assignedValues(text, text.indexOf(name) + name.length).at(-1)
  return found === undefined ? null : text.slice(found.start, found.end)
}

describe('assignedValues', () => {
  it.each([
    ['ACME_KEY = "abc123"', 'abc123'],
    ['acme_token: abc123', 'abc123'],
    ["'acme' => 'abc123',", 'abc123'],
    ['ACME_KEY := "abc123"', 'abc123'],
    ['acme.api.key=abc123;', 'abc123'],
    ['<acme_key>abc123</acme_key>', 'abc123'],
    ['#define ACME_KEY "abc123"', 'abc123'],
    ['acme.init("abc123")', 'abc123'],
    ['env["ACME_KEY"] = "abc123"', 'abc123'],
    ['[acme]\ntoken = "abc123"', 'abc123'],
    ['acme:\n  token: abc123', 'abc123'],
    ['let acme_key: &str = "abc123";', 'abc123'],
    ['<add name="acmeKey" value="abc123"/>', 'abc123'],
  ])('reads the value of %s', (text, value) => {
    expect(valueIn(text, /acme/i.exec(text)?.[0] ?? '')).toBe(value)
  })

  it('finds nothing if no value is assigned', () => {
    expect(valueIn('acme is a company', 'acme')).toBeNull()
    expect(valueIn('acme: <value>', 'acme')).toBeNull()
  })
})

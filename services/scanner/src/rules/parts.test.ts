import { expect, it } from '@jest/globals'
import { joinParts, withParts } from './parts.ts'

it('puts the alternatives of a part where a pattern names it', () => {
  const parts = joinParts({ hosts: ['a\\.example', 'b\\.example'] })

  expect(withParts('^https://(?:{{hosts}})/x{2}', parts)).toBe(
    '^https://(?:a\\.example|b\\.example)/x{2}',
  )
})

it('lets a part name the parts before it', () => {
  const parts = joinParts({ hosts: ['a', 'b'], addresses: ['https://(?:{{hosts}})'] })

  expect(withParts('{{addresses}}/', parts)).toBe('https://(?:a|b)/')
})

it.each([
  ['a part that names itself', { hosts: ['{{hosts}}'] }],
  ['a part that names a later one', { addresses: ['{{hosts}}'], hosts: ['a'] }],
])('refuses %s', (_what, lists) => {
  expect(() => joinParts(lists as unknown as Record<string, string[]>)).toThrow(
    'there is no part hosts',
  )
})

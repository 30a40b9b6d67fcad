import { expect, it } from '@jest/globals'
import { normalOperator } from './operator.ts'

it.each([
  [
    'Acme',
    'ACME, Inc.',
    'Acme Incorporated',
    'Acme L.L.C.',
    'acme llc',
    'Acme Limited',
    'Acme S.A',
  ],
  ['Acme', 'Acme™', 'Acme®', 'Acme Corporation', 'Acme GmbH & Co. KG', 'Ac\u200bme', 'Ácme'],
  ['Café Łódź', 'Cafe Łodz', 'CAFÉ ŁÓDŹ B.V.'],
])('takes spellings of one name for one operator: %s', (...spellings) => {
  expect(new Set(spellings.map(normalOperator)).size).toBe(1)
})

it('tells other names apart, of any script, and those that are a legal form or hold its letters', () => {
  const names = [
    'Müag',
    'Mü',
    'AG',
    'S.A.',
    '🦊',
    '🐙',
    'バス',
    'ハス',
    'Co-op',
    'Inco',
    'U.S. Labs',
  ]

  expect(new Set(names.map(normalOperator)).size).toBe(names.length)
})

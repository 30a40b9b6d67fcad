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
])('spellings of one operator name count as one operator: %s', (...spellings) => {
  expect(new Set(spellings.map(normalOperator)).size).toBe(1)
})

it('names in other scripts, legal forms alone and names with letters of legal forms count as different operators', () => {
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

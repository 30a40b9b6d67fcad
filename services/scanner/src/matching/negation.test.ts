import { expect, it } from '@jest/globals'
import { isNegated } from './negation.ts'

function isNegatedBehind(lead: string): boolean {
  return isNegated(`${lead}send your key`, lead.length)
}

it.each([
  'Never ',
  'Never, ever ',
  'You should not, under any circumstances, ',
  'We do not ask anybody to ',
  'If somebody asks, do not ',
  'When in doubt, never ',
  'How to sign in without having to ',
  'If you do not ',
  'We asked the model to ',
])('takes an order behind %j for none', (lead) => {
  expect(isNegatedBehind(lead)).toBe(true)
})

it.each([
  '',
  'Please ',
  'Do not hesitate to ',
  'Do not forget to ',
  "Don't worry, just ",
  "Don't be afraid, ",
  'Do not wait, ',
  'You cannot post unless you ',
  'Do not leave before you ',
  'Why not ',
  'Believe it or not, ',
  'If not, ',
  'Why not, ',
  'If it does not work ',
  'If it does not work, ',
  'Never mind. Please ',
])('takes an order behind %j for one', (lead) => {
  expect(isNegatedBehind(lead)).toBe(false)
})

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
  'Our bot was tricked to ',
  'The bot refused to ',
  'The exploit makes the agent ',
  'Users keep trying to make it ',
  'A name of a branch can force the CI bot to ',
  'Somebody got our agent to ',
  'Does your bot ',
])('isNegated takes an order after %j for negated', (lead) => {
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
  'Make the agent ',
  'Get the bot to ',
  'Let it ',
  'You were made to ',
  'You can get your agent to ',
  'Every agent must ',
  'The exploit makes noise. Please ',
])('isNegated does not take an order after %j for negated', (lead) => {
  expect(isNegatedBehind(lead)).toBe(false)
})

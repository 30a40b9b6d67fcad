import { access } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { holdUp } from '../../../../tests/support/hold-up.ts'
import { within } from './within.ts'

it('waits no longer than that', async () => {
  await within(20, new Promise(() => {}))
})

it('sees what has ended in time, though its process was held up until later', async () => {
  let hasEnded = false
  // In the next turn, timers come first.
  await nextTurn()

  const work = access('/').then(() => {
    hasEnded = true
  })
  const waiting = within(50, work)
  holdUp(150)
  await waiting

  expect(hasEnded).toBe(true)
})

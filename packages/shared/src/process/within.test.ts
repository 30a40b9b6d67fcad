import { access } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { holdUp } from '../../../../tests/support/hold-up.ts'
import { within } from './within.ts'

it('within waits no longer than its timeout', async () => {
  await within(20, new Promise(() => {}))
})

it('within sees work that ended in time, even if its process was blocked until after the timeout', async () => {
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

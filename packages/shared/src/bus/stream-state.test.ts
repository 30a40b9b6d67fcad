import { expect, it } from '@jest/globals'
import { timeOnBus } from './stream-state.ts'

it('how long something waits goes by the clock of the bus, where the bus says what time it is', () => {
  const now = Date.now()

  expect(timeOnBus({ ts: '2026-11-24T03:00:00.123456789Z' })).toBe(
    Date.UTC(2026, 10, 24, 3, 0, 0, 123),
  )
  expect(timeOnBus({})).toBeGreaterThanOrEqual(now)
})

import { afterEach, expect, it, jest } from '@jest/globals'
import { eventually } from '../../../tests/support/eventually.ts'
import { createAnnouncer } from './announcer.ts'

afterEach(() => {
  jest.useRealTimers()
})

it('the announcer tells of each change of the hot list once', async () => {
  const told: unknown[] = []
  const announcer = createAnnouncer({ tell: (_, payload) => told.push(payload) })

  announcer.changed(['rust'])
  announcer.changed(['go'])
  announcer.changed(['go', 'zig'])
  await eventually('the last is told', async () => JSON.stringify(told).includes('zig'))
  announcer.close()

  expect(told).toEqual([{ tags: ['hot', 'hot:rust'] }, { tags: ['hot', 'hot:go', 'hot:zig'] }])
})

it('the announcer tells nothing after it was closed, as the bus is closed next', () => {
  jest.useFakeTimers()
  const told: unknown[] = []
  const announcer = createAnnouncer({ tell: (_, payload) => told.push(payload) })
  announcer.changed(['rust'])
  announcer.changed(['go'])

  announcer.close()
  jest.runAllTimers()

  expect(told).toEqual([{ tags: ['hot', 'hot:rust'] }])
})

import { expect, it } from '@jest/globals'
import { eventually } from '../../../tests/support/eventually.ts'
import { createAnnouncer } from './announcer.ts'

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

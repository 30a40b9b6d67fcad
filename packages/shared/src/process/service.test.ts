import { expect, it } from '@jest/globals'
import { closing } from './service.ts'

it('closes in reverse order, once, however often it is told to', async () => {
  const closed: string[] = []
  const part = (name: string) => async () => {
    closed.push(name)
  }
  const running = closing(part('database'), part('bus'), part('requests'))

  await Promise.all([running.close(), running.close()])

  expect(closed).toEqual(['requests', 'bus', 'database'])
})

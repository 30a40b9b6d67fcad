import { expect, it } from '@jest/globals'
import { closing } from './service.ts'

it('a service closes its parts once and in reverse order, however often it is closed', async () => {
  const closed: string[] = []
  const part = (name: string) => async () => {
    closed.push(name)
  }
  const running = closing({ bus: () => {} }, part('database'), part('bus'), part('requests'))

  await Promise.all([running.close(), running.close()])

  expect(closed).toEqual(['requests', 'bus', 'database'])
})

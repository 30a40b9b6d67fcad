import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { openConnection } from './connection.ts'

let nats: OwnNats

beforeAll(async () => {
  nats = await OwnNats.start()
})

afterAll(async () => {
  await nats?.remove()
})

it('sends its password to no server without TLS where the address asks for that', async () => {
  const opening = openConnection('content', nats.urlFor('content').replace('nats:', 'tls:'))
  const refused = /offers no TLS/
  await expect(opening.then((connection) => connection.close())).rejects.toThrow(refused)
})

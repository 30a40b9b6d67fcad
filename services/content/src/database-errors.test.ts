import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { asAppError, codeOf, isConnectionError, isCutOff } from './database-errors.ts'

/** What a connection says of itself once the other side is gone: an error of Node.js, not of the driver. */
async function lostConnection(): Promise<unknown> {
  const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const error = await once(connect(port, '127.0.0.1'), 'end').catch((reason: unknown) => reason)
  server.close()
  return error
}

it('a connection that is lost below the driver is a database that is away', async () => {
  const error = await lostConnection()

  expect(codeOf(error)).toBe('ECONNRESET')
  expect(asAppError(error)).toMatchObject({ code: 'unavailable', cause: error })
  expect(isCutOff(error)).toBe(true)
  expect(isConnectionError(error)).toBe(true)
})

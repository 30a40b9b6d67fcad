import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { asAppError, codeOf, isConnectionError, isCutOff } from './database-errors.ts'

/** The error of a connection whose other side is gone: an error of Node.js, not of the driver. */
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

it('a server whose name nobody knows, as of a container that stands still, is a database that is away', async () => {
  const socket = connect(5432, 'nobody.invalid')
  const error = await once(socket, 'connect').catch((reason: unknown) => reason)

  expect(codeOf(error)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/)
  expect(asAppError(error)).toMatchObject({ code: 'unavailable', cause: error })
})

it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])(
  'a connection that ends by %s is lost, and the server away',
  (code) => {
    const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' })

    expect(asAppError(error)).toMatchObject({ code: 'unavailable', cause: error })
    expect(isCutOff(error)).toBe(true)
  },
)

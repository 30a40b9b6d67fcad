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

it('a connection that is reset below the driver counts as an unavailable database', async () => {
  const error = await lostConnection()

  expect(codeOf(error)).toBe('ECONNRESET')
  expect(asAppError(error)).toMatchObject({ code: 'unavailable', cause: error })
  expect(isCutOff(error)).toBe(true)
  expect(isConnectionError(error)).toBe(true)
})

it('a server name that cannot be resolved, as of a stopped container, counts as an unavailable database', async () => {
  const socket = connect(5432, 'nobody.invalid')
  const error = await once(socket, 'connect').catch((reason: unknown) => reason)

  expect(codeOf(error)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/)
  expect(asAppError(error)).toMatchObject({ code: 'unavailable', cause: error })
})

it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])(
  'a connection that ends by %s counts as cut off, and the database as unavailable',
  (code) => {
    const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' })

    expect(asAppError(error)).toMatchObject({ code: 'unavailable', cause: error })
    expect(isCutOff(error)).toBe(true)
  },
)

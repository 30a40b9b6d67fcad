import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import { listen, openServer, stopServing } from './server.ts'

/** More than lies on a connection that nobody reads. */
const ANSWER_BYTES = 8 * 1_024 * 1_024
const UNREAD_MS_MAX = 1_000

let server: Server

afterEach(() => stopServing(server))

/** A server that lets nobody read later than a second, and a client that has asked for too much. */
async function whoAsks() {
  const answer = Buffer.alloc(ANSWER_BYTES)
  server = openServer(
    (_, res) => res.end(answer),
    (_, socket) => socket.destroy(),
    UNREAD_MS_MAX,
  )
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause().write('GET / HTTP/1.1\r\nHost: forum.test\r\n\r\n')
  await eventually('it is connected', async () => (await connections()) === 1)
  return socket
}

function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

it('cuts a reader off that takes nothing of its answer', async () => {
  const socket = await whoAsks()

  await eventually('it is cut off', async () => (await connections()) === 0)

  socket.destroy()
})

it('lets a reader go on that is slow', async () => {
  const socket = await whoAsks()
  const startedAt = performance.now()
  let received = 0
  socket.on('data', (chunk) => {
    received += chunk.length
    socket.pause()
  })

  // Some of it at a time, so that all of it takes longer than anybody may be silent.
  await eventually('it has read all', async () => {
    const due = ((performance.now() - startedAt) / (2 * UNREAD_MS_MAX)) * ANSWER_BYTES
    if (received < due) socket.resume()
    return received > ANSWER_BYTES
  })

  socket.destroy()
  expect(performance.now() - startedAt).toBeGreaterThan(UNREAD_MS_MAX)
})

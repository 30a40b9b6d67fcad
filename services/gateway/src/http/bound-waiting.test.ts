import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from '@jest/globals'
import { boundWaiting, WAITING_MAX } from './bound-waiting.ts'
import { listen } from './server.ts'

const GET = 'GET / HTTP/1.1\r\nHost: forum.test\r\n\r\n'
/** One request is being answered, and the others wait. */
const TAKEN_MAX = 1 + WAITING_MAX

let server: Server

afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

/** A connection to a server that bounds waiting requests; counts the answers until it is closed. */
async function openTo(listener: RequestListener) {
  server = createServer(boundWaiting(listener))
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      text += chunk.toString()
    })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, closed, answers: () => text.split('HTTP/1.1 200 ').length - 1 }
}

it('a connection may send the maximum number of pipelined requests again and again', async () => {
  let asked = 0
  const { socket, closed, answers } = await openTo((_, res) => {
    if (++asked % TAKEN_MAX === 0 && asked < 3 * TAKEN_MAX) {
      res.once('close', () => socket.write(GET.repeat(TAKEN_MAX)))
    }
    if (asked === 3 * TAKEN_MAX) res.shouldKeepAlive = false
    res.writeHead(200, ['Content-Length', '0']).end()
  })

  socket.write(GET.repeat(TAKEN_MAX))
  await closed

  expect(answers()).toBe(3 * TAKEN_MAX)
})

it('a connection with too many pipelined requests is closed, and the rest of them is not read', async () => {
  let asked = 0
  const { socket, closed } = await openTo(() => {
    asked++
  })
  let read = 0
  server.on('request', () => read++)

  socket.write(GET.repeat(1_000))
  await closed

  expect({ asked, read }).toEqual({ asked: TAKEN_MAX, read: TAKEN_MAX + 1 })
})

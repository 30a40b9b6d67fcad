import type { RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { signal } from '../../../../tests/support/signal.ts'
import { listen, openServer } from './server.ts'

const CROWDED_FROM = 2

let server: Server

afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

/** Starts a server that is soon crowded, and returns how to open connections to it. */
async function opener(listener: RequestListener) {
  server = openServer(listener, () => {}, { crowdedFrom: CROWDED_FROM })
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })
  const { port } = server.address() as AddressInfo
  return () => connect(port, '127.0.0.1').on('error', () => {})
}

/** Sends a request on the connection and returns what it is answered. */
function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: forum.test\r\n\r\n')
  return new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())))
}

describe('a server with too many connections', () => {
  it('closes the oldest idle connection to accept a new connection', async () => {
    const open = await opener((_, res) => res.end('welcome'))
    const sockets: Socket[] = []
    for (let n = 0; n < CROWDED_FROM; n++) {
      const socket = open()
      await ask(socket)
      sockets.push(socket)
    }
    const [first, second] = sockets as [Socket, Socket]
    const isClosed = new Promise((resolve) => first.once('close', resolve))

    const told = await ask(open())

    await isClosed
    expect(told).toContain('welcome')
    expect(await ask(second)).toContain('welcome')
  })

  it('closes no connection that waits for an answer', async () => {
    const held: ServerResponse[] = []
    let heard = signal()
    const open = await opener((_, res) => {
      held.push(res)
      heard.give()
    })
    const answers: Promise<string>[] = []
    for (let n = 0; n <= CROWDED_FROM; n++) {
      heard = signal()
      answers.push(ask(open()))
      await heard.given
    }

    for (const res of held) res.end('welcome')

    for (const told of await Promise.all(answers)) expect(told).toContain('welcome')
  })
})

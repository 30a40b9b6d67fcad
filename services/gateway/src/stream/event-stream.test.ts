import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import { type Exchange, openExchange } from '../http/exchange.ts'
import { EventStream } from './event-stream.ts'

const LONG = { id: '1', event: 'change', data: JSON.stringify('x'.repeat(100_000)) }
/** So many long events are more than the buffers of both ends hold. */
const MANY = 200

let server: Server
let opened: Promise<Exchange>
let client: ReturnType<typeof request>
/** Takes nothing from the connection until the test reads it. */
let response: Promise<IncomingMessage>

beforeEach(async () => {
  server = createServer()
  opened = new Promise((resolve) => {
    server.on('request', (req, res) => resolve(openExchange(req, res, '192.0.2.1')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  client = request({ port: (server.address() as AddressInfo).port, agent: false })
  client.on('error', () => {})
  response = new Promise((resolve) => client.once('response', resolve))
  client.end()
})

afterEach(async () => {
  jest.useRealTimers()
  client.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function closed({ res }: Exchange): Promise<void> {
  return new Promise((resolve) => res.once('close', resolve))
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

describe('an event stream', () => {
  it('sends events as fast as they are read, and leaves no timer or listener after waiting', async () => {
    const exchange = await opened
    const stream = new EventStream(exchange)
    const body = await response
    const before = { timers: timers(), listeners: exchange.res.listenerCount('drain') }
    let text = ''
    body.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })

    for (let n = 0; n < MANY; n++) await stream.send(LONG)
    const after = { timers: timers(), listeners: exchange.res.listenerCount('drain') }
    stream.end()
    await new Promise((resolve) => body.once('end', resolve))

    expect(text.split('event: change\n')).toHaveLength(MANY + 1)
    // A timer left over from one wait would cut off a reader that has taken everything.
    expect(after).toEqual(before)
  })

  it('disconnects a reader that reads nothing', async () => {
    const exchange = await opened
    const stream = new EventStream(exchange, 100)
    const cut = closed(exchange)

    for (let n = 0; n < MANY && stream.isOpen; n++) await stream.send(LONG)
    await cut

    expect(stream.isOpen).toBe(false)
  })

  it('ends at once without a timer if the reader disconnected before the stream began', async () => {
    const exchange = await opened
    const gone = closed(exchange)
    client.destroy()
    await gone
    const before = timers()
    let isTold = false

    new EventStream(exchange).onClose(() => {
      isTold = true
    })

    expect({ isTold, timers: timers() }).toEqual({ isTold: true, timers: before })
  })

  it('stops waiting and leaves no timer if the reader disconnects during a send', async () => {
    const exchange = await opened
    const before = timers()
    const stream = new EventStream(exchange, 600_000)
    let isWaiting = true
    const sending = (async () => {
      for (let n = 0; n < MANY; n++) await stream.send(LONG)
      isWaiting = false
    })()
    await response

    client.destroy()
    await eventually('nobody waits for it', async () => !isWaiting)
    await sending

    expect(timers()).toBe(before)
  })

  it('sends a keep-alive comment every 15 seconds, unless data is waiting to be read', async () => {
    const exchange = await opened
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] })
    const stream = new EventStream(exchange)

    jest.advanceTimersByTime(15_000)
    while (!exchange.res.writableNeedDrain) void stream.send(LONG)
    jest.advanceTimersByTime(15_000)
    stream.end()

    let text = ''
    for await (const chunk of await response) text += chunk
    expect(text.match(/^: still here$/gm)).toHaveLength(1)
  })

  it('ends with its connection, also if it was requested after another stream on this connection', async () => {
    await opened
    const exchanges: Exchange[] = []
    server.on('request', (req, res) => exchanges.push(openExchange(req, res, '192.0.2.1')))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
    await eventually('both have come', async () => exchanges.length === 2)
    let ended = 0
    for (const exchange of exchanges) new EventStream(exchange).onClose(() => ended++)

    socket.destroy()

    await eventually('both have ended', async () => ended === 2)
  })
})

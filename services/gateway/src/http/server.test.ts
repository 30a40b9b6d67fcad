import { Agent, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import { type Signal, signal } from '../../../../tests/support/signal.ts'
import { listen, openServer, stopServing } from './server.ts'

/** More than fits into the buffers of a connection that nobody reads. */
const ANSWER_BYTES = 8 * 1_024 * 1_024
const UNREAD_MS_MAX = 1_000

let server: Server

afterEach(() => stopServing(server))

/**
 * A server that cuts off clients after a second without reading, and a client that does not read.
 */
async function whoAsks() {
  const answer = Buffer.alloc(ANSWER_BYTES)
  server = openServer(
    (_, res) => res.end(answer),
    (_, socket) => socket.destroy(),
    { unreadMsMax: UNREAD_MS_MAX },
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

it('listen fails with the names of the settings HOST and PORT if the port is in use', async () => {
  const open = () =>
    openServer(
      () => {},
      () => {},
    )
  server = open()
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })
  const { port } = server.address() as AddressInfo

  await expect(listen(open(), { HOST: '127.0.0.1', PORT: port })).rejects.toThrow(
    `HOST and PORT: nothing can listen at 127.0.0.1:${port} (listen EADDRINUSE`,
  )
})

it('a server closes the connection of a client that reads nothing of its answer', async () => {
  const socket = await whoAsks()

  await eventually('it is cut off', async () => (await connections()) === 0)

  socket.destroy()
})

it('a server keeps the connection of a client that reads its answer slowly', async () => {
  const socket = await whoAsks()
  const startedAt = performance.now()
  let received = 0
  socket.on('data', (chunk) => {
    received += chunk.length
    socket.pause()
  })

  // Reads a part at a time, so that the whole takes longer than a client may read nothing.
  await eventually('it has read all', async () => {
    const due = ((performance.now() - startedAt) / (2 * UNREAD_MS_MAX)) * ANSWER_BYTES
    if (received < due) socket.resume()
    return received > ANSWER_BYTES
  })

  socket.destroy()
  expect(performance.now() - startedAt).toBeGreaterThan(UNREAD_MS_MAX)
})

it('a server refuses a request whose head is incomplete after the timeout', async () => {
  const refused: string[] = []
  const refuse = (error: NodeJS.ErrnoException, socket: Duplex) => {
    refused.push(error.code ?? '')
    socket.destroy()
  }
  server = openServer(() => {}, refuse, { headersTimeout: 100 })
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {}).write('GET / HTTP/1.1\r\nX-Head: half of i')

  await eventually('it is refused', async () => refused.length > 0, 10_000)

  expect(refused).toEqual(['ERR_HTTP_REQUEST_TIMEOUT'])
})

it('a server reads the last of 1,500 headers, which a proxy may have added', async () => {
  server = openServer(
    ({ headers }, res) => res.end(headers['x-forwarded-for']),
    (_, socket) => socket.destroy(),
  )
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const many = Array.from({ length: 1_500 }, (_, n) => `a${n}:\r\n`).join('')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))

  socket.write(`GET / HTTP/1.1\r\n${many}X-Forwarded-For: 203.0.113.7\r\n\r\n`)

  await eventually('it is answered', async () => answer.includes('\r\n\r\n'))
  socket.destroy()
  expect(answer).toContain('203.0.113.7')
})

describe('a server that stops', () => {
  /** Long before the server would cut off what is left. */
  const SOON_MS = 3_000

  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  afterEach(() => agent.destroy())

  function get(port: number): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      request({ port, agent }, resolve).on('error', reject).end()
    })
  }

  it('answers the request that it is processing, and closes the connection', async () => {
    const [asked, held] = [signal(), signal()]
    server = openServer(
      async (_, res) => {
        asked.give()
        await held.given
        res.writeHead(200, ['Content-Length', '0']).end()
      },
      (_, socket) => socket.destroy(),
    )
    await listen(server, { HOST: '127.0.0.1', PORT: 0 })
    const answer = get((server.address() as AddressInfo).port)
    await asked.given

    const startedAt = performance.now()
    const stopping = stopServing(server)
    held.give()

    expect((await answer).headers.connection).toBe('close')
    await stopping
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS)
  })

  it('answers one request on a connection that has not sent a request yet', async () => {
    server = openServer(
      (_, res) => res.writeHead(200, ['Content-Length', '0']).end(),
      (_, socket) => socket.destroy(),
    )
    await listen(server, { HOST: '127.0.0.1', PORT: 0 })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    await eventually('it is connected', async () => (await connections()) === 1)

    const startedAt = performance.now()
    const stopping = stopServing(server)
    socket.write('GET / HTTP/1.1\r\nHost: forum.test\r\n\r\n')
    await stopping

    expect(performance.now() - startedAt).toBeLessThan(SOON_MS)
    await eventually('it is answered', async () => received.includes('\r\n\r\n'))
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(received).toContain('\r\nConnection: close\r\n')
  })

  it('stops soon while a client keeps sending requests, and cuts off no answer', async () => {
    server = openServer(
      (_, res) => setImmediate(() => res.writeHead(200, ['Content-Length', '0']).end()),
      (_, socket) => socket.destroy(),
    )
    await listen(server, { HOST: '127.0.0.1', PORT: 0 })
    const { port } = server.address() as AddressInfo
    const answers: IncomingMessage[] = []
    const asking = (async () => {
      for (;;) answers.push((await get(port)).resume())
    })().catch((error) => error.code)
    await eventually('it asks', async () => answers.length > 10)

    const startedAt = performance.now()
    await stopServing(server)

    expect(performance.now() - startedAt).toBeLessThan(SOON_MS)
    // The next request needs a new connection.
    expect(await asking).toBe('ECONNREFUSED')
    expect(answers.at(-1)?.headers.connection).toBe('close')
  })

  it('lets a client read its answer to the end', async () => {
    const socket = await whoAsks()
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    socket.pause()
    const closed = new Promise((resolve) => socket.once('close', resolve))

    const stopping = stopServing(server)
    socket.resume()
    await Promise.all([stopping, closed])

    expect(received).toBeGreaterThan(ANSWER_BYTES)
  })
})

describe('an unreadable request', () => {
  const GET = 'GET / HTTP/1.1\r\nHost: forum.test\r\n\r\n'
  const GARBAGE = 'no HTTP at all\r\n\r\n'
  const ANSWER = ['Content-Length', '2']

  const IMPATIENT = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 100 }

  /** What a client receives that sends one text after the other, until the server hangs up. */
  async function received(listener: RequestListener, first: string, then?: [Signal, string]) {
    server = openServer(listener, (_, socket) => socket.end('refused'))
    await listen(server, { HOST: '127.0.0.1', PORT: 0 })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {}).write(first)
    if (then) {
      await then[0].given
      socket.write(then[1])
    }
    await closed
    return text
  }

  it('is refused', async () => {
    expect(await received(() => {}, GARBAGE)).toBe('refused')
  })

  it('gets no refusal after a valid request in the same packet, which is answered', async () => {
    const text = await received((_, res) => res.writeHead(200, ANSWER).end('ok'), GET + GARBAGE)

    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    expect(text).toMatch(/\r\n\r\nok$/)
  })

  it('gets no refusal after two valid requests in the same packet, which are both answered', async () => {
    let asked = 0
    const all = signal()
    const listener: RequestListener = async (_, res) => {
      if (++asked === 2) all.give()
      await all.given
      res.writeHead(200, ANSWER).end('ok')
    }

    const text = await received(listener, GET + GET + GARBAGE)

    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2)
    expect(text).toMatch(/\r\n\r\nok$/)
  })

  it('gets no refusal while an earlier request of its connection is processed, which is answered', async () => {
    const [asked, held] = [signal(), signal()]
    const listener: RequestListener = async (_, res) => {
      asked.give()
      await held.given
      res.writeHead(201, ANSWER).end('ok')
    }
    const answer = received(listener, GET, [asked, GARBAGE])
    await asked.given
    await new Promise((resolve) => server.once('clientError', resolve))
    held.give()

    expect(await answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*\r\n\r\nok$/)
  })

  it('ends a stream on its connection, without a refusal inside the stream', async () => {
    const begun = signal()
    const listener: RequestListener = (_, res) => {
      res.writeHead(200).write('begun')
      begun.give()
    }

    const text = await received(listener, GET, [begun, GARBAGE])

    expect(text).toMatch(/begun\r\n$/)
  })

  it('is disconnected even if the client goes on sending', async () => {
    server = openServer(
      () => {},
      (_, socket) => socket.end('refused'),
      { ...IMPATIENT, lingerMs: 100 },
    )
    await listen(server, { HOST: '127.0.0.1', PORT: 0 })
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nX-Head: ')
    const sending = setInterval(() => socket.write('a'), 10)

    await closed

    clearInterval(sending)
  })

  it('is not completed by data that arrives after its refusal', async () => {
    const [asked, refused] = [signal(), signal()]
    let isComplete = false
    server = openServer(
      (req) => {
        req.resume().once('end', () => {
          isComplete = true
        })
        asked.give()
      },
      (_, socket) => {
        socket.end('refused')
        refused.give()
      },
      IMPATIENT,
    )
    await listen(server, { HOST: '127.0.0.1', PORT: 0 })
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {}).resume()
    socket.write('POST / HTTP/1.1\r\nHost: forum.test\r\nContent-Length: 2\r\n\r\n{')
    await asked.given

    await refused.given
    socket.end('}')
    await closed

    expect(isComplete).toBe(false)
  })

  it('is refused if its chunked body is malformed before the server has answered', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: forum.test\r\nTransfer-Encoding: chunked\r\n\r\n'

    expect(await received((req) => void req.resume(), `${head}no length\r\n`)).toBe('refused')
  })
})

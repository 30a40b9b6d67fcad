import dns from 'node:dns'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it, jest } from '@jest/globals'
import { signal } from '../../../../tests/support/signal.ts'
import { postMessage } from './post-message.ts'

let receiver: Server

afterEach(() => {
  jest.restoreAllMocks()
  return new Promise((resolve) => receiver.close(resolve))
})

async function listenAs(answer: (socket: Socket) => void): Promise<string> {
  receiver = createServer(answer)
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
}

it('a webhook message closes the connection if the receiver sends more than its status', async () => {
  const over = signal()
  const url = await listenAs((socket) => {
    socket.on('error', () => {}).on('close', () => over.give())
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nand so on'))
  })

  const sent = postMessage({ url, headers: {}, body: '{}' }, true, new AbortController().signal)

  expect(await sent).toBe(200)
  // Long before the deadline of an answer.
  const late = AbortSignal.timeout(8_000)
  await Promise.race([over.given, new Promise((_, fail) => late.addEventListener('abort', fail))])
})

it('a webhook message to an https address starts with a TLS handshake', async () => {
  const HANDSHAKE = 22
  const begun: (number | undefined)[] = []
  const url = await listenAs((socket) => {
    socket
      .on('error', () => {})
      .once('data', ([first]) => {
        begun.push(first)
        socket.destroy()
      })
  })
  const message = { url: url.replace('http:', 'https:'), headers: {}, body: '{}' }

  await expect(postMessage(message, true, new AbortController().signal)).rejects.toThrow()

  expect(begun).toEqual([HANDSHAKE])
})

it('a webhook message is aborted at once by its abort signal', async () => {
  const stop = new AbortController()
  const url = await listenAs((socket) => {
    socket.on('error', () => {}).once('data', () => stop.abort())
  })

  const sent = postMessage({ url, headers: {}, body: '{}' }, true, stop.signal)

  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
})

it('a webhook message fails if the receiver switches protocols', async () => {
  const url = await listenAs((socket) => {
    const answer =
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'
    socket.on('error', () => {}).once('data', () => socket.write(answer))
  })

  const sent = postMessage({ url, headers: {}, body: '{}' }, true, new AbortController().signal)

  await expect(sent).rejects.toThrow('no answer')
})

it.each([
  ['first', ['127.0.0.1', '203.0.114.1']],
  ['behind a public one', ['203.0.114.1', '127.0.0.1']],
])(
  'a webhook message is not sent to a name that has a private address %s',
  async (_, addresses) => {
    let connections = 0
    const url = await listenAs((socket) => {
      connections++
      socket.destroy()
    })
    jest.spyOn(dns, 'lookup').mockImplementation(((_host, _options, callback) => {
      const all = addresses.map((address) => ({ address, family: 4 }))
      process.nextTick(callback, null, all)
    }) as typeof dns.lookup as never)
    const named = url.replace('127.0.0.1', 'receiver.example')

    const sent = postMessage(
      { url: named, headers: {}, body: '{}' },
      false,
      new AbortController().signal,
    )

    await expect(sent).rejects.toThrow('a private address')
    expect(connections).toBe(0)
  },
)

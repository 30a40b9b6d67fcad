import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, it } from '@jest/globals'
import { postMessage } from './post-message.ts'

let receiver: Server

afterEach(() => new Promise((resolve) => receiver.close(resolve)))

it('fails where the receiver would rather speak another protocol', async () => {
  receiver = createServer((socket) => {
    const answer =
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'
    socket.on('error', () => {}).once('data', () => socket.write(answer))
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

  const sent = postMessage({ url, headers: {}, body: '{}' }, true, new AbortController().signal)

  await expect(sent).rejects.toThrow('no answer')
})

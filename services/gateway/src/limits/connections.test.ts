import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import { refuseConnection } from '../serving/refuse-bad-connection.ts'
import { trustedProxies } from './client-address.ts'
import { boundConnections } from './connections.ts'

let server: Server
const core = { config: { baseUrl: 'http://forum.test' } } as Parameters<typeof refuseConnection>[0]

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/**
 * Starts a server that lets in two connections of an address, and returns how to open one and read
 * what it is told.
 */
async function opener(proxies: string[]) {
  const refuse: Parameters<typeof boundConnections>[3] = (error, socket) =>
    refuseConnection(core, error, socket)
  server = createServer((_, res) => res.end('welcome'))
  boundConnections(server, trustedProxies(proxies), 2, refuse)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return async (): Promise<{ socket: Socket; told: string }> => {
    const socket = connect(port, '127.0.0.1')
    let told = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      told += data.toString()
    })
    socket.write('GET / HTTP/1.1\r\nHost: forum.test\r\n\r\n')
    await eventually('it is told something', async () => told !== '')
    return { socket, told }
  }
}

it('an address may hold two connections, and gets status 429 on a third', async () => {
  const open = await opener([])
  const [first] = [await open(), await open()]

  const { told } = await open()

  expect(told).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/)
  expect(told).toMatch('\r\nRetry-After: 10\r\n')
  expect(told).toMatch('"code":"rate_limited"')
  first?.socket.destroy()
  await eventually('there is room', async () => (await open()).told.includes('welcome'))
})

it('a trusted proxy may hold more connections than other addresses', async () => {
  const open = await opener(['127.0.0.1'])
  for (let n = 0; n < 3; n++) expect((await open()).told).toMatch('welcome')
})

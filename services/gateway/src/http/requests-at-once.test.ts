import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Exchange } from './exchange.ts'
import { createRequestsAtOnce } from './requests-at-once.ts'

const AT_ONCE = 8

let server: Server

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('a request keeps its place until its work is done, even if its client has hung up', async () => {
  const atOnce = createRequestsAtOnce(AT_ONCE)
  const works: (() => void)[] = []
  let gone = 0
  server = createServer((req, res) => {
    res.on('close', () => gone++)
    const exchange = { req, res, address: '192.0.2.1' } as unknown as Exchange
    const work = () => new Promise<void>((resolve) => works.push(resolve))
    atOnce.during(exchange, work).catch(() => res.writeHead(429).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const status = async () => (await fetch(`http://127.0.0.1:${port}/`)).status

  for (let n = 0; n < AT_ONCE; n++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: forum.test\r\n\r\n')
    await eventually('it is being worked on', async () => works.length > n)
    socket.destroy()
  }
  await eventually('all have hung up', async () => gone === AT_ONCE)

  expect(await status()).toBe(429)
  works.shift()?.()
  const asking = status()
  await eventually('there is a place', async () => works.length === AT_ONCE)
  server.closeAllConnections()
  await expect(asking).rejects.toThrow()
})

it('a request keeps its place until its answer is read, even if its work has failed', async () => {
  const atOnce = createRequestsAtOnce(1)
  server = createServer((req, res) => {
    const exchange = { req, res, address: '192.0.2.1' } as unknown as Exchange
    const work = async () => {
      res.writeHead(200).flushHeaders()
      throw new Error('what was to be answered')
    }
    atOnce.during(exchange, work).catch(({ code }) => code && res.writeHead(429).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = () => fetch(`http://127.0.0.1:${port}/`)

  const first = await ask()
  expect((await ask()).status).toBe(429)
  await first.body?.cancel()

  await eventually('there is a place', async () => {
    const { status, body } = await ask()
    await body?.cancel()
    return status === 200
  })
})

it('pipelined requests give back all their places when their connection is lost', async () => {
  const atOnce = createRequestsAtOnce(2)
  let begun = 0
  let refused = 0
  server = createServer((req, res) => {
    const exchange = { req, res, address: '192.0.2.1' } as unknown as Exchange
    const work = async () => void begun++
    atOnce.during(exchange, work).catch(() => refused++)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const askTwice = async () => {
    const [before, socket] = [begun + refused, connect(port, '127.0.0.1')]
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: forum.test\r\n\r\n'.repeat(2))
    await eventually('both are there', async () => begun + refused === before + 2)
    socket.destroy()
  }

  await askTwice()
  const isOver = () =>
    new Promise((resolve) => server.getConnections((_, open) => resolve(open === 0)))
  await eventually('it is lost', async () => (await isOver()) === true)
  await askTwice()

  expect([begun, refused]).toEqual([4, 0])
})

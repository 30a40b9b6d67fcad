import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { freePort } from '../deploy/local/processes/free-port.mjs'

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range'
/** The first port that outgoing connections get; only Linux tells it, and it may be configured. */
const FIRST = existsSync(RANGE) ? Number.parseInt(readFileSync(RANGE, 'utf8'), 10) : 0
const whereUsual = FIRST >= 30_000 ? it : it.skip

whereUsual('freePort returns no port that the system gives to outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))

  expect(ports.filter((port) => port >= FIRST)).toEqual([])
})

it('freePort returns a port that a server can listen on', async () => {
  const port = await freePort()
  const server = createServer()

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

  await new Promise((closed) => server.close(closed))
})

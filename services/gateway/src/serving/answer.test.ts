import type { AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import type { Core } from '../core.ts'
import { listen, openServer, stopServing } from '../http/server.ts'
import { answering } from './answer.ts'

it('the gateway answers with status 500 if a listener throws before it asks a service', async () => {
  const lines: string[] = []
  const log = createLogger('gateway', 'error', { write: (line) => lines.push(line) })
  const core = { log, config: { baseUrl: 'https://forum.test' } } as Core
  const server = openServer(
    answering(core, () => {
      throw new RangeError('a length below zero')
    }),
    (_, socket) => socket.destroy(),
  )
  await listen(server, { HOST: '127.0.0.1', PORT: 0 })

  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/`)

  expect(answer.status).toBe(500)
  expect(await answer.json()).toMatchObject({ untrusted: true, code: 'internal' })
  expect(lines).toEqual([expect.stringContaining('a length below zero')])
  await stopServing(server)
})

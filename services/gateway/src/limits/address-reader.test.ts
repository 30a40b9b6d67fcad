import type { IncomingMessage } from 'node:http'
import { expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { addressReader } from './address-reader.ts'
import { trustedProxies } from './client-address.ts'

/** An address reader that trusts 10.0.0.1, and the lines it logged. */
function reader() {
  const lines: string[] = []
  const log = createLogger('gateway', 'warn', { write: (line: string) => lines.push(line) })
  const read = addressReader(trustedProxies(['10.0.0.1']), log)
  const on = (socket: object, forwarded?: string, authorization?: string) => {
    const headers = { authorization, 'x-forwarded-for': forwarded }
    return read({ socket, headers } as unknown as IncomingMessage)
  }
  const from = (remoteAddress: string, ...rest: [forwarded?: string, authorization?: string]) =>
    on({ remoteAddress }, ...rest)
  return { on, from, lines }
}

it('the gateway warns once of a nearby proxy that is not trusted', () => {
  const { from, lines } = reader()

  expect(from('::ffff:172.18.0.1', '198.51.100.1')).toBe('172.18.0.1')
  expect(from('127.0.0.1', '198.51.100.2')).toBe('127.0.0.1')

  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] as string)).toMatchObject({ level: 40, proxy: '172.18.0.1' })
  expect(lines[0]).toMatch('TRUSTED_PROXIES')
})

it('the gateway warns once of a trusted proxy that sends no X-Forwarded-For', () => {
  const { from, lines } = reader()

  expect(from('10.0.0.1', undefined, 'Bearer stoa_x')).toBe('10.0.0.1')
  expect(from('10.0.0.1', undefined, 'Bearer stoa_y')).toBe('10.0.0.1')

  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] as string)).toMatchObject({ level: 40, proxy: '10.0.0.1' })
  expect(lines[0]).toMatch('X-Forwarded-For')
})

it("the gateway does not warn of a proxy's own check without a key and without X-Forwarded-For", () => {
  const { from, lines } = reader()

  expect(from('10.0.0.1')).toBe('10.0.0.1')

  expect(lines).toEqual([])
})

it('the gateway does not warn of a trusted proxy, of a header from a distant address, or of no header', () => {
  const { from, lines } = reader()

  expect(from('10.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
  expect(from('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
  expect(from('127.0.0.1')).toBe('127.0.0.1')
  expect(from('203.0.113.7', undefined, 'Bearer stoa_x')).toBe('203.0.113.7')

  expect(lines).toEqual([])
})

it('the gateway tells clients apart that share a connection through a trusted proxy', () => {
  const { on } = reader()
  const socket = { remoteAddress: '10.0.0.1' }

  const read = ['198.51.100.1', '198.51.100.2', undefined, '198.51.100.1'].map((forwarded) =>
    on(socket, forwarded),
  )

  expect(read).toEqual(['198.51.100.1', '198.51.100.2', '10.0.0.1', '198.51.100.1'])
})

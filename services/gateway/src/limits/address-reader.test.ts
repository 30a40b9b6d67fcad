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
  const from = (remoteAddress: string, forwarded?: string, authorization?: string) => {
    const headers = { authorization, 'x-forwarded-for': forwarded }
    return read({ socket: { remoteAddress }, headers } as unknown as IncomingMessage)
  }
  return { from, lines }
}

it('tells the operator once of a proxy nearby that is not trusted', () => {
  const { from, lines } = reader()

  expect(from('::ffff:172.18.0.1', '198.51.100.1')).toBe('172.18.0.1')
  expect(from('127.0.0.1', '198.51.100.2')).toBe('127.0.0.1')

  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] as string)).toMatchObject({ level: 40, proxy: '172.18.0.1' })
  expect(lines[0]).toMatch('TRUSTED_PROXIES')
})

it('tells the operator once of a trusted proxy that does not say for whom it forwards', () => {
  const { from, lines } = reader()

  expect(from('10.0.0.1', undefined, 'Bearer stoa_x')).toBe('10.0.0.1')
  expect(from('10.0.0.1', undefined, 'Bearer stoa_y')).toBe('10.0.0.1')

  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] as string)).toMatchObject({ level: 40, proxy: '10.0.0.1' })
  expect(lines[0]).toMatch('X-Forwarded-For')
})

it('takes what asks without a key and without that header for a check of the proxy itself', () => {
  const { from, lines } = reader()

  expect(from('10.0.0.1')).toBe('10.0.0.1')

  expect(lines).toEqual([])
})

it("has nothing to tell of a trusted proxy, of nobody else's header, or of none", () => {
  const { from, lines } = reader()

  expect(from('10.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
  expect(from('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
  expect(from('127.0.0.1')).toBe('127.0.0.1')

  expect(lines).toEqual([])
})

import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { metaFor, openExchange } from './exchange.ts'

function metaOf(method: string, headers: Record<string, string> = {}) {
  const req = { method, headers } as unknown as IncomingMessage
  return metaFor(openExchange(req, {} as ServerResponse, '192.0.2.1'), castVote)
}

describe('the metadata of a request to a service', () => {
  it('allows asking a second replica for GET and HEAD only', () => {
    const safe = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'].filter(
      (method) => metaOf(method).isSafe,
    )

    expect(safe).toEqual(['GET', 'HEAD'])
  })

  it('contains the traceparent of the client only if it is valid', () => {
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    expect(metaOf('GET', { traceparent: trace }).traceparent).toBe(trace)

    for (const traceparent of ['', 'x', `${trace}-more`, ` ${trace}`, trace.toUpperCase()]) {
      expect(metaOf('GET', { traceparent })).not.toHaveProperty('traceparent')
    }
  })
})

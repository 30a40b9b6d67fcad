import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller, Meta } from '@stoa/shared/bus/meta.js'
import type { RequestContract } from '@stoa/shared/contracts/contract.js'
import type { Budget, LimitClass } from '../limits/classes.ts'
import { rateHeaders } from '../limits/rate-headers.ts'
import { TRUST_HEADER } from './envelope.ts'
import { requestId } from './request-id.ts'

/** One request and what the gateway knows of it so far. */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId: string
  /** What anonymous requests of this client count for. */
  readonly address: string
  caller?: Caller
  /** What it counts for. */
  limit?: LimitClass
  budget?: Budget
  /** A page for people: its errors are pages too. */
  isPage?: boolean
  /** Path of the route, with `{name}` for its parameters, and their values. */
  template: string
  path: Record<string, string>
  /** Whatever fails before a write is asked for has not happened. */
  isRepeatable: boolean
}

export function openExchange(req: IncomingMessage, res: ServerResponse, address: string): Exchange {
  const id = requestId(req.headers['x-request-id'])
  return { req, res, address, requestId: id, template: '/', path: {}, isRepeatable: true }
}

/** Stands on every response of any type. */
export const UNTRUSTED = [TRUST_HEADER, 'untrusted', 'X-Content-Type-Options', 'nosniff']

/** Stands on every response that pages of other sites may read. */
export const EVERY_RESPONSE = [
  ...UNTRUSTED,
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  '*',
]

export const PUBLIC_CACHE = 'public, no-cache'
/** Of what seldom changes and harms nobody when old. */
export const DAY_CACHE = 'public, max-age=86400'
/** Of what has an address of its own for each content. */
export const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable'
export const PRIVATE_CACHE = 'private, no-store'
export const VARY = 'Accept-Encoding, Authorization'

/** The headers that differ from one request to the next. */
export function ownHeaders({ requestId: id, budget }: Exchange): string[] {
  return budget ? ['X-Request-Id', id, ...rateHeaders(budget)] : ['X-Request-Id', id]
}

/** Sends a body that nobody else will ask for. */
export function sendOnce(
  exchange: Exchange,
  status: number,
  contentType: string,
  body: Buffer,
  headers: readonly string[],
): void {
  const { res } = exchange
  if (res.headersSent || res.destroyed) return
  res.writeHead(status, [
    'Content-Type',
    contentType,
    'Content-Length',
    String(body.length),
    ...EVERY_RESPONSE,
    ...ownHeaders(exchange),
    ...headers,
  ])
  res.end(body)
}

export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** A read with one is answered as if it had none, which its sender has to be told. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** What travels over the bus beside a request made for this exchange. */
export function metaFor(exchange: Exchange, contract: RequestContract): Meta {
  const traceparent = exchange.req.headers.traceparent
  return {
    requestId: exchange.requestId,
    remainingMs: contract.timeoutMs,
    ...(isRead(exchange.req) ? { isSafe: true } : {}),
    ...(typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? { traceparent } : {}),
    ...(exchange.caller ? { caller: exchange.caller } : {}),
  }
}

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
  /** The address that anonymous requests of this client count against. */
  readonly address: string
  caller?: Caller
  /** The limit class that the request counts against. */
  limit?: LimitClass
  budget?: Budget
  /** Whether the request is for a page for people, whose errors are pages too. */
  isPage?: boolean
  /** Path of the route, with `{name}` for each parameter; `path` holds their values. */
  template: string
  path: Record<string, string>
  /**
   * Whether repeating does no harm: true until a POST is asked for, because nothing happened before.
   */
  isRepeatable: boolean
}

export function openExchange(req: IncomingMessage, res: ServerResponse, address: string): Exchange {
  const id = requestId(req.headers['x-request-id'])
  return { req, res, address, requestId: id, template: '/', path: {}, isRepeatable: true }
}

/** Headers of every response. */
export const UNTRUSTED = [TRUST_HEADER, 'untrusted', 'X-Content-Type-Options', 'nosniff']

/** Headers of every response that pages of other sites may read. */
export const EVERY_RESPONSE = [
  ...UNTRUSTED,
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  '*',
]

export const PUBLIC_CACHE = 'public, no-cache'
/** Cache-Control of files that seldom change and do no harm when old. */
export const DAY_CACHE = 'public, max-age=86400'
/** Cache-Control of content whose address changes whenever the content does. */
export const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable'
export const PRIVATE_CACHE = 'private, no-store'
export const VARY = 'Accept-Encoding, Authorization'

/** The headers that differ from one request to the next. */
export function ownHeaders({ requestId: id, budget }: Exchange): string[] {
  return budget ? ['X-Request-Id', id, ...rateHeaders(budget)] : ['X-Request-Id', id]
}

/** Sends a body that was made for this request alone. */
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

/**
 * Whether the request has a body. A read is answered as if it had none, and its sender is warned.
 */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** The metadata that travels over the bus with a request made for this exchange. */
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

import { AppError } from '@stoa/shared/errors/errors.js'
import type { Core } from '../core.ts'
import { EVERY_RESPONSE, type Exchange, ownHeaders } from '../http/exchange.ts'
import { respondError } from './respond-error.ts'

export type Work = (exchange: Exchange) => Promise<void> | void

/** Does the work; whatever it throws becomes the answer. */
export async function answer(core: Core, exchange: Exchange, work: Work): Promise<void> {
  try {
    await work(exchange)
  } catch (error) {
    respondError(core, exchange, error)
  }
}

/** Scripts of any origin may read; writing needs a key, which no page should hold. */
const PREFLIGHT = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers',
  'Authorization, Cache-Control, If-None-Match, Last-Event-ID, X-Request-Id',
  'Access-Control-Max-Age',
  '86400',
]

/** Answers OPTIONS; throws `method_not_allowed` for all else. */
export function refuseMethod(exchange: Exchange, allow: string[]): void {
  if (exchange.req.method !== 'OPTIONS') throw new AppError('method_not_allowed', { allow })
  exchange.res.writeHead(204, [
    'Allow',
    allow.join(', '),
    ...PREFLIGHT,
    ...EVERY_RESPONSE,
    ...ownHeaders(exchange),
  ])
  exchange.res.end()
}

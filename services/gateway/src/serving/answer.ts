import type { RequestListener } from 'node:http'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { Core } from '../core.ts'
import { EVERY_RESPONSE, type Exchange, openExchange, ownHeaders } from '../http/exchange.ts'
import { pathOf } from '../http/path-of.ts'
import { meantEndpoint } from '../routes/likely-guesses.ts'
import { respondError } from './respond-error.ts'

export type Work = (exchange: Exchange) => Promise<void> | void

/** Does the work, answers with the error if it throws, and counts the answer. */
export async function answer(core: Core, exchange: Exchange, work: Work): Promise<void> {
  const startedAt = performance.now()
  try {
    await work(exchange)
  } catch (error) {
    respondError(core, exchange, error)
  }
  const { res, limit } = exchange
  if (res.headersSent) {
    core.answers.made(limit, res.statusCode, (performance.now() - startedAt) / 1_000)
  }
}

/** Wraps the listener so that what it throws ends its own request, and not the whole process. */
export function answering(
  core: Pick<Core, 'log' | 'config'>,
  listener: RequestListener,
): RequestListener {
  return (req, res) => {
    try {
      listener(req, res)
    } catch (error) {
      try {
        // Without an address, because reading it may be what failed.
        respondError(core, openExchange(req, res, ''), error)
      } catch {
        // If even the error cannot be sent, the connection is closed.
        res.destroy()
      }
    }
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

/** Answers OPTIONS; throws `method_not_allowed` for any other method. */
export function refuseMethod(exchange: Exchange, allow: string[]): void {
  const { method, url } = exchange.req
  if (method !== 'OPTIONS') {
    throw new AppError('method_not_allowed', { allow, instead: meantEndpoint(method, pathOf(url)) })
  }
  exchange.res.writeHead(204, [
    'Allow',
    allow.join(', '),
    ...PREFLIGHT,
    ...EVERY_RESPONSE,
    ...ownHeaders(exchange),
  ])
  exchange.res.end()
}

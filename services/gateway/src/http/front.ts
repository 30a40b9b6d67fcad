import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { sendVariant } from '../cache/send-entry.ts'
import type { Core } from '../core.ts'
import { chooseCoding } from './coding.ts'
import { type Exchange, openExchange } from './exchange.ts'

export type OpenAny = (req: IncomingMessage, res: ServerResponse) => Exchange

/**
 * Stands in front of the application: a read without credentials whose answer is at hand is sent at
 * once, and everything else goes on. Nothing here may wait or parse.
 */
export function createFront(
  core: Pick<Core, 'cache' | 'urls' | 'limiter'>,
  addressOf: (req: IncomingMessage) => string,
  next: RequestListener,
): RequestListener {
  return (req, res) => {
    if (!serveFromCache(core, addressOf, req, res)) next(req, res)
  }
}

function serveFromCache(
  { cache, urls, limiter }: Pick<Core, 'cache' | 'urls' | 'limiter'>,
  addressOf: (req: IncomingMessage) => string,
  req: IncomingMessage,
  res: ServerResponse,
): boolean {
  const { method, headers } = req
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
  const known = urls.find(req.url as string)
  const entry = known && cache.fresh(known.key)
  if (!entry) return false
  const variant = entry.ready(chooseCoding(headers['accept-encoding'] as string | undefined))
  if (!variant) return false
  const address = addressOf(req)
  const budget = limiter.takeRead(known.limit, address)
  if (budget === null) return false
  const exchange = openExchange(req, res, address)
  if (budget) exchange.budget = budget
  sendVariant(exchange, entry, variant)
  return true
}

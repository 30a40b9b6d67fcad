import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { sendVariant } from '../cache/send-entry.ts'
import type { Core } from '../core.ts'
import type { ServeApi } from './api.ts'
import { chooseCoding } from './coding.ts'
import { openExchange } from './exchange.ts'

/**
 * Stands in front of everything: a read without credentials whose answer is at hand is sent at once.
 * What is left goes to the API's rows, and what is none of them to the application with its pages
 * and files. Nothing here may wait or parse.
 */
export function createFront(
  core: Pick<Core, 'cache' | 'urls' | 'limiter'>,
  addressOf: (req: IncomingMessage) => string,
  serveApi: ServeApi,
  app: RequestListener,
): RequestListener {
  return (req, res) => {
    if (serveFromCache(core, addressOf, req, res) || serveApi(req, res)) return
    app(req, res)
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

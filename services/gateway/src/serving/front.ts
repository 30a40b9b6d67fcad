import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createRecognize, type Recognize } from '../auth/authenticate.ts'
import type { Variant } from '../cache/entry.ts'
import { sendVariant } from '../cache/send-entry.ts'
import type { Core } from '../core.ts'
import { chooseCoding } from '../http/coding.ts'
import { hasBody, isRead, openExchange } from '../http/exchange.ts'
import { underWay } from '../http/under-way.ts'
import type { ServeApi } from './api.ts'
import { mustBeFresh } from './must-be-fresh.ts'

/**
 * The most bytes of an answer that is sent at once. Reading a larger one can take so long that it
 * must take one of its client's places. A feed of 25 whole posts has about 80 kB.
 */
const AT_ONCE_BYTES_MAX = 96 * 1_024

type FrontCore = Pick<Core, 'answers' | 'cache' | 'urls' | 'limiter' | 'keys' | 'recentWriters'>

/** How to find the address and the caller of a request without waiting. */
interface Asking {
  addressOf: (req: IncomingMessage) => string
  recognize: Recognize
}

/**
 * Stands in front of all handlers: a read whose answer is in the cache is sent at once, if it has
 * no key or one that is in the cache too. Other requests go to the API's rows, and those that match
 * no row to the application with its pages and files. Nothing here may wait or parse.
 */
export function createFront(
  core: FrontCore,
  addressOf: (req: IncomingMessage) => string,
  serveApi: ServeApi,
  app: RequestListener,
): RequestListener {
  const asking = { addressOf, recognize: createRecognize(core.keys) }
  return (req, res) => {
    if (serveFromCache(core, asking, req, res) || serveApi(req, res)) return
    app(req, res)
  }
}

function serveFromCache(
  core: FrontCore,
  { addressOf, recognize }: Asking,
  req: IncomingMessage,
  res: ServerResponse,
): boolean {
  const { headers } = req
  if (!isRead(req) || hasBody(req)) return false
  const known = core.urls.find(req.url as string)
  const entry = known && core.cache.fresh(known.key)
  if (!entry) return false
  const variant = entry.ready(chooseCoding(headers['accept-encoding']))
  if (!variant || !isSoonTaken(variant, res)) return false
  const hasKey = headers.authorization !== undefined
  const caller = hasKey ? recognize(req)?.caller : undefined
  if (hasKey && (!caller || mustBeFresh(core, req, caller))) return false
  const address = addressOf(req)
  const budget = core.limiter.takeRead(known.limit, caller ? caller.agent_id : address)
  if (budget === null) return false
  const exchange = openExchange(req, res, address)
  if (caller) exchange.caller = caller
  if (budget) exchange.budget = budget
  sendVariant(exchange, entry, variant)
  core.answers.kept(known.limit)
  return true
}

/**
 * Answers sent from here hold no place of their client while it reads them. So a connection has
 * only one of them under way, and a small one: the cache may drop it long before a slow reader has
 * taken it.
 */
function isSoonTaken({ body }: Variant, res: ServerResponse): boolean {
  return body.length <= AT_ONCE_BYTES_MAX && underWay(res.req.socket) === res
}

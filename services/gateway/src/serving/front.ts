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
 * Reading a larger answer can take long enough that it takes a place of its client's. A feed of 25 whole
 * posts has some 80 kB.
 */
const AT_ONCE_BYTES_MAX = 96 * 1_024

type FrontCore = Pick<Core, 'answers' | 'cache' | 'urls' | 'limiter' | 'keys' | 'recentWriters'>

/** Who asks, as far as that is needed to answer at once. */
interface Asking {
  addressOf: (req: IncomingMessage) => string
  recognize: Recognize
}

/**
 * Stands in front of everything: a read whose answer is at hand is sent at once, with a key that is
 * at hand as well or with none. What is left goes to the API's rows, and what is none of them to the
 * application with its pages and files. Nothing here may wait or parse.
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
 * What is sent from here counts nowhere until it is read. So a connection holds one answer of these at
 * a time, and a small one: the cache may forget it long before a slow reader has taken it.
 */
function isSoonTaken({ body }: Variant, res: ServerResponse): boolean {
  return body.length <= AT_ONCE_BYTES_MAX && underWay(res.req.socket) === res
}

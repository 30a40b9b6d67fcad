import { chooseCoding } from '../http/coding.ts'
import { matchesTag } from '../http/etag.ts'
import { type Exchange, ownHeaders, PRIVATE_CACHE } from '../http/exchange.ts'
import type { Entry, Variant } from './entry.ts'

/** Sends an entry: 304 if the client has it, otherwise in the coding the client likes best. */
export async function sendEntry(exchange: Exchange, entry: Entry): Promise<void> {
  const coding = chooseCoding(exchange.req.headers['accept-encoding'])
  sendVariant(exchange, entry, entry.ready(coding) ?? (await entry.make(coding)))
}

/** Like `sendEntry`, without waiting; the variant must be one of the entry's. */
export function sendVariant(exchange: Exchange, entry: Entry, variant: Variant): void {
  const { req, res } = exchange
  if (res.headersSent || res.destroyed) return
  const condition = req.headers['if-none-match']
  const own = ownHeaders(exchange)
  own.push('Cache-Control', exchange.caller ? PRIVATE_CACHE : entry.cacheControl)
  const isKnown =
    condition !== undefined && (condition === variant.etag || matchesTag(condition, entry.tag))
  if (isKnown && entry.status === 200) {
    res.writeHead(304, own.concat(variant.notModifiedHead))
    res.end()
    return
  }
  res.writeHead(entry.status, own.concat(variant.head))
  res.end(variant.body)
}

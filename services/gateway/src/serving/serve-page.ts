import { Entry, type Loaded } from '../cache/entry.ts'
import { sendEntry } from '../cache/send-entry.ts'
import type { Core } from '../core.ts'
import type { Exchange } from '../http/exchange.ts'
import { HTML_TYPE } from '../http/media-types.ts'
import { requireNoSecret } from '../http/misplaced-keys.ts'
import { PAGE_HEADERS } from '../http/page-headers.ts'
import { queryOf } from '../http/path-of.ts'
import { firstText, parseQuery } from '../http/query.ts'
import type { PageRoute } from '../page-routes/index.ts'
import { PageReader } from '../page-routes/page-reader.ts'
import { admit } from './admit.ts'
import type { Resource } from './app.ts'
import { mustBeFresh } from './must-be-fresh.ts'

/** A page as a resource, made from the API's answers and cached like them. */
export function pageResource(core: Core, route: PageRoute): Resource {
  return {
    path: route.path,
    serve: (exchange) => {
      exchange.isPage = true
      return core.atOnce.during(exchange, () => servePage(core, route, exchange))
    },
  }
}

async function servePage(core: Core, route: PageRoute, exchange: Exchange): Promise<void> {
  const { limit = 'read' } = route
  await admit(core, exchange, { auth: 'optional', limit, method: 'GET' })
  requireNoSecret(exchange.path)
  const url = exchange.req.url ?? ''
  const { query, hasOthers } = pick(url, route.parameters)
  const key = `page ${route.path} ${JSON.stringify([exchange.path, query])}`
  const load = () => loadPage(core, route, exchange, query)
  if (exchange.caller) {
    const isFresh = mustBeFresh(core, exchange.req, exchange.caller)
    const kept = isFresh ? undefined : core.cache.fresh(key)
    return sendEntry(exchange, kept ?? new Entry(await load()))
  }
  const entry = await core.cache.read(key, load)
  if (!hasOthers) core.urls.remember(url, { key, limit })
  await sendEntry(exchange, entry)
}

/** The first value of each parameter that the page takes. */
function pick(url: string, names: readonly string[]) {
  const given = parseQuery(queryOf(url))
  const known = names.filter((name) => Object.hasOwn(given, name))
  const query: Record<string, string | undefined> = Object.fromEntries(
    known.map((name) => [name, firstText(given[name])]),
  )
  return { query, hasOthers: Object.keys(given).length > known.length }
}

async function loadPage(
  core: Core,
  route: PageRoute,
  exchange: Exchange,
  query: Record<string, string | undefined>,
): Promise<Loaded> {
  const reader = new PageReader(core, exchange)
  const site = { baseUrl: core.config.baseUrl }
  const result = await route.render({ path: exchange.path, query, reader, site })
  const tags = [...reader.tags]
  // A client could send its key along to the address of a redirect. So a caller with a key gets the
  // text instead, and a redirect is never kept, because a kept one would be sent to everybody.
  if (typeof result === 'string' || exchange.caller) {
    const text = typeof result === 'string' ? result : result.text()
    const { contentType = HTML_TYPE } = route
    return { body: Buffer.from(text), contentType, tags, headers: PAGE_HEADERS }
  }
  const location = ['Location', result.redirect]
  const body = Buffer.alloc(0)
  return { status: 308, body, contentType: HTML_TYPE, tags, headers: location, isKept: false }
}

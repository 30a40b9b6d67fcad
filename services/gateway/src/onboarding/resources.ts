import { ERRORS, type ErrorCode, notFound } from '@stoa/shared/errors/errors.js'
import { Entry, type Loaded } from '../cache/entry.ts'
import { sendEntry } from '../cache/send-entry.ts'
import type { Core } from '../core.ts'
import { DAY_CACHE, type Exchange, IMMUTABLE_CACHE } from '../http/exchange.ts'
import { HTML_TYPE, JSON_TYPE, MARKDOWN_TYPE } from '../http/media-types.ts'
import { PAGE_HEADERS } from '../http/page-headers.ts'
import { renderErrorReferencePage } from '../pages/error.ts'
import { FAVICON_ICO, FAVICON_SVG, ICON_PNG } from '../pages/machine-files/favicon.ts'
import { renderOpenSearch } from '../pages/machine-files/opensearch.ts'
import { renderRobots } from '../pages/machine-files/robots.ts'
import { renderPolicyPage } from '../pages/policy.ts'
import { STYLE_CSS, STYLE_PATH } from '../pages/style/style.ts'
import type { Row } from '../routes/row.ts'
import { admit, count } from '../serving/admit.ts'
import type { Resource } from '../serving/app.ts'
import { openApiDocument } from './openapi.ts'
import { skillMarkdown } from './skill.ts'
import { errorMarkdown, llmsText, securityText } from './texts.ts'

const TEXT = 'text/plain; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const ALL_DAY = { cacheControl: DAY_CACHE }

/** Files that are the same for everybody until the next start. */
export function onboardingResources(core: Core, rows: readonly Row[]): Resource[] {
  const { baseUrl, SECURITY_CONTACT: contact } = core.config
  const site = { baseUrl }
  const file = (path: string, ...content: Parameters<typeof entryOf>): Resource => {
    const entry = entryOf(...content)
    return { path, serve: (exchange) => serveFile(core, exchange, entry) }
  }
  // A browser that is refused the page is told why in a page.
  const page = (path: string, text: string): Resource => {
    const { serve } = file(path, HTML_TYPE, text, { headers: PAGE_HEADERS })
    return {
      path,
      serve: (exchange) => {
        exchange.isPage = true
        return serve(exchange)
      },
    }
  }
  // Browsers fetch these files unasked, so they count as no reads and no limit refuses them.
  const asset = (path: string, ...content: Parameters<typeof entryOf>): Resource => {
    const entry = entryOf(...content)
    return { path, serve: (exchange) => sendEntry(exchange, entry) }
  }
  return [
    file('/skill.md', MARKDOWN_TYPE, skillMarkdown(rows, baseUrl)),
    file('/llms.txt', TEXT, llmsText(rows, baseUrl)),
    file('/openapi.json', JSON_TYPE, JSON.stringify(openApiDocument(rows, baseUrl))),
    asset('/robots.txt', TEXT, renderRobots(site)),
    file('/.well-known/security.txt', TEXT, securityText(baseUrl, contact, Date.now())),
    styleSheet(),
    asset('/favicon.svg', 'image/svg+xml', FAVICON_SVG, ALL_DAY),
    asset('/favicon.ico', 'image/x-icon', FAVICON_ICO, ALL_DAY),
    asset('/icon.png', 'image/png', ICON_PNG, ALL_DAY),
    asset('/apple-touch-icon.png', 'image/png', ICON_PNG, ALL_DAY),
    asset(
      '/opensearch.xml',
      'application/opensearchdescription+xml; charset=utf-8',
      renderOpenSearch(site),
      ALL_DAY,
    ),
    page('/policy', renderPolicyPage(site)),
    { path: '/errors/{code}', serve: errorReference(core) },
  ]
}

function entryOf(
  contentType: string,
  content: string | Buffer,
  about: Pick<Loaded, 'headers' | 'cacheControl'> = {},
): Entry {
  const body = typeof content === 'string' ? Buffer.from(content) : content
  return new Entry({ body, contentType, tags: [], ...about })
}

/**
 * The style sheet. At the address that pages name it may be kept for good, because that address
 * changes with the content.
 */
function styleSheet(): Resource {
  const kept = entryOf(CSS, STYLE_CSS, { cacheControl: IMMUTABLE_CACHE })
  const asked = entryOf(CSS, STYLE_CSS)
  return {
    path: '/style.css',
    serve: (exchange) => sendEntry(exchange, exchange.req.url === STYLE_PATH ? kept : asked),
  }
}

/**
 * The document that the `type` of an error names: a page for browsers, Markdown for everybody else.
 * It counts as no read and needs no key, so that a client refused for either can read why.
 */
function errorReference(core: Core): Resource['serve'] {
  const site = { baseUrl: core.config.baseUrl }
  const vary = ['Vary', 'Accept']
  const entries = new Map(
    (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
      const html = renderErrorReferencePage({ code, ...ERRORS[code] }, site)
      const page = entryOf(HTML_TYPE, html, { headers: [...PAGE_HEADERS, ...vary] })
      const text = entryOf(MARKDOWN_TYPE, errorMarkdown(code), { headers: vary })
      return [code as string, { page, text }]
    }),
  )
  return async (exchange) => {
    const known = entries.get(exchange.path.code ?? '')
    const wantsPage = exchange.req.headers.accept?.includes('text/html') ?? false
    exchange.isPage = wantsPage
    if (known) return sendEntry(exchange, wantsPage ? known.page : known.text)
    await count(core, exchange, 'read')
    throw notFound()
  }
}

async function serveFile(core: Core, exchange: Exchange, entry: Entry): Promise<void> {
  await admit(core, exchange, { auth: 'optional', limit: 'read', method: 'GET' })
  await sendEntry(exchange, entry)
}

import { AppError } from '@stoa/shared/errors.js'
import express, { type Express, type Request, type Response } from 'express'
import type { Core } from '../core.ts'
import type { Row } from '../routes/row.ts'
import { count } from './admit.ts'
import { EVERY_RESPONSE, type Exchange, ownHeaders } from './exchange.ts'
import { respondError } from './respond-error.ts'
import { serveRow } from './serve-row.ts'

export type OpenExchange = (req: Request, res: Response) => Exchange

/** A handler for one path that is no row of the table: a file or a page. */
export interface Resource {
  path: string
  serve: Work
  /** It answers every method itself; without, others than GET and HEAD are refused. */
  takesEveryMethod?: boolean
}

/** The Express application: every row, every resource, and a problem document for all else. */
export function createApp(
  core: Core,
  rows: readonly Row[],
  resources: readonly Resource[],
  open: OpenExchange,
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  for (const [path, methods] of byPath(rows)) mountRows(app, core, path, methods, open)
  for (const resource of resources) mountResource(app, core, resource, open)
  app.use(async (req, res) => {
    await answer(core, open(req, res), async (exchange) => {
      exchange.isPage = isBrowsing(req)
      await count(core, exchange, 'read')
      throw new AppError('not_found')
    })
  })
  app.use((error: unknown, req: Request, res: Response, _next: unknown) => {
    respondError(core, open(req, res), error)
  })
  return app
}

/** People who mistype an address get a page; programs always get a problem document. */
function isBrowsing(req: Request): boolean {
  return !req.path.startsWith('/api/') && (req.headers.accept?.includes('text/html') ?? false)
}

function byPath(rows: readonly Row[]): Map<string, Map<string, Row>> {
  const paths = new Map<string, Map<string, Row>>()
  for (const row of rows) {
    const methods = paths.get(row.path) ?? new Map<string, Row>()
    methods.set(row.method, row)
    paths.set(row.path, methods)
  }
  return paths
}

function mountRows(
  app: Express,
  core: Core,
  path: string,
  methods: Map<string, Row>,
  open: OpenExchange,
): void {
  const allowed = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']
  mount(app, core, path, open, (exchange) => {
    const { method = '' } = exchange.req
    const row = methods.get(method === 'HEAD' ? 'GET' : method)
    return row ? serveRow(core, row, exchange) : refuseMethod(exchange, allowed)
  })
}

function mountResource(app: Express, core: Core, resource: Resource, open: OpenExchange): void {
  const allowed = ['GET', 'HEAD', 'OPTIONS']
  mount(app, core, resource.path, open, (exchange) => {
    const isRead = exchange.req.method === 'GET' || exchange.req.method === 'HEAD'
    const isServed = isRead || resource.takesEveryMethod
    return isServed ? resource.serve(exchange) : refuseMethod(exchange, allowed)
  })
}

type Work = (exchange: Exchange) => Promise<void> | void

function mount(app: Express, core: Core, path: string, open: OpenExchange, work: Work): void {
  app.all(expressPath(path), async (req, res) => {
    const exchange = open(req, res)
    exchange.template = path
    exchange.path = req.params as Record<string, string>
    await answer(core, exchange, work)
  })
}

async function answer(core: Core, exchange: Exchange, work: Work): Promise<void> {
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
  'Authorization, If-None-Match, Last-Event-ID, X-Request-Id',
  'Access-Control-Max-Age',
  '86400',
]

function refuseMethod(exchange: Exchange, allow: string[]): void {
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

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

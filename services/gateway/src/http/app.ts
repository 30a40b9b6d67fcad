import { AppError } from '@stoa/shared/errors.js'
import express, { type Express, type Request, type Response } from 'express'
import type { Core } from '../core.ts'
import type { Row } from '../routes/row.ts'
import { count } from './admit.ts'
import { EVERY_RESPONSE, type Exchange, ownHeaders } from './exchange.ts'
import { respondError } from './respond-error.ts'
import { serveRow } from './serve-row.ts'

export type OpenExchange = (req: Request, res: Response) => Exchange

/** A handler for one path that is no row of the table: a file or a page. GET and HEAD only. */
export interface Resource {
  path: string
  serve: (exchange: Exchange, parameters: Record<string, string>) => Promise<void> | void
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
  app.all(expressPath(path), async (req, res) => {
    await answer(core, open(req, res), async (exchange) => {
      const row = methods.get(req.method === 'HEAD' ? 'GET' : req.method)
      if (row) return serveRow(core, row, exchange, parametersOf(req))
      return refuseMethod(exchange, path, allowed)
    })
  })
}

function mountResource(app: Express, core: Core, resource: Resource, open: OpenExchange): void {
  const allowed = ['GET', 'HEAD', 'OPTIONS']
  app.all(expressPath(resource.path), async (req, res) => {
    await answer(core, open(req, res), async (exchange) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        return refuseMethod(exchange, resource.path, allowed)
      }
      exchange.instance = resource.path
      return resource.serve(exchange, parametersOf(req))
    })
  })
}

async function answer(
  core: Core,
  exchange: Exchange,
  work: (exchange: Exchange) => Promise<void> | void,
): Promise<void> {
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

function refuseMethod(exchange: Exchange, path: string, allow: string[]): void {
  exchange.instance = path
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

function parametersOf(req: Request): Record<string, string> {
  return req.params as Record<string, string>
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

import { AppError } from '@stoa/shared/errors/errors.js'
import express, { type Express, type Request, type Response } from 'express'
import type { Core } from '../core.ts'
import { type Exchange, isRead } from '../http/exchange.ts'
import { pathOf } from '../http/path-of.ts'
import { meantEndpoint } from '../routes/likely-guesses.ts'
import { filledPath } from '../routes/row.ts'
import { count } from './admit.ts'
import { answer, refuseMethod, type Work } from './answer.ts'
import { respondError } from './respond-error.ts'

type OpenExchange = (req: Request, res: Response) => Exchange

/** A handler for one path that is not a row of the table: a file or a page. */
export interface Resource {
  path: string
  serve: Work
  /** Whether it answers every method itself; otherwise all but GET and HEAD are refused. */
  takesEveryMethod?: boolean
}

/** The Express application: pages, files, and a problem document for every unknown path. */
export function createApp(core: Core, resources: readonly Resource[], open: OpenExchange): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  for (const resource of resources) mountResource(app, core, resource, open)
  app.use(async (req, res) => {
    await answer(core, open(req, res), async (exchange) => {
      exchange.isPage = isBrowsing(req)
      await count(core, exchange, 'read')
      throw new AppError('not_found', { instead: meantEndpoint(req.method, pathOf(req.url)) })
    })
  })
  app.use((error: unknown, req: Request, res: Response, _next: unknown) => {
    const exchange = open(req, res)
    exchange.isPage = isBrowsing(req)
    respondError(core, exchange, error)
  })
  return app
}

/** A browser that asks for an unknown path gets a page; programs always get a problem document. */
function isBrowsing(req: Request): boolean {
  return !req.path.startsWith('/api/') && (req.headers.accept?.includes('text/html') ?? false)
}

function mountResource(app: Express, core: Core, resource: Resource, open: OpenExchange): void {
  const allowed = ['GET', 'HEAD', 'OPTIONS']
  const expressPath = filledPath(resource.path, (name) => `:${name}`)
  app.all(expressPath, async (req, res) => {
    const exchange = open(req, res)
    exchange.template = resource.path
    exchange.path = req.params as Record<string, string>
    const isServed = isRead(req) || resource.takesEveryMethod
    const refuse = () => refuseMethod(exchange, allowed)
    await answer(core, exchange, isServed ? resource.serve : refuse)
  })
}

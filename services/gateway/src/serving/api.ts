import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError, isAppError } from '@stoa/shared/errors/errors.js'
import type { Core } from '../core.ts'
import type { Exchange } from '../http/exchange.ts'
import { pathOf } from '../http/path-of.ts'
import { PathTree, type Place } from '../http/path-tree.ts'
import { meantEndpoint } from '../routes/likely-guesses.ts'
import type { Row } from '../routes/row.ts'
import { admit } from './admit.ts'
import { answer, refuseMethod } from './answer.ts'
import { respondError } from './respond-error.ts'
import { serveRead } from './serve-read.ts'
import { serveWrite } from './serve-write.ts'

/** Answers a request to a row of the table; returns false if no row has that path. */
export type ServeApi = (req: IncomingMessage, res: ServerResponse) => boolean

interface Endpoint {
  methods: Map<string, Row>
  allowed: string[]
}

/** The rows of the table by path and method. */
export function createApi(
  core: Core,
  rows: readonly Row[],
  open: (req: IncomingMessage, res: ServerResponse) => Exchange,
): ServeApi {
  const endpoints = new PathTree<Endpoint>()
  for (const [path, methods] of byPath(rows)) {
    const allowed = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']
    endpoints.add(path, { methods, allowed })
  }
  return (req, res) => {
    let place: Place<Endpoint> | undefined
    try {
      place = endpoints.find(pathOf(req.url))
    } catch (error) {
      respondError(core, open(req, res), error)
      return true
    }
    if (!place) return false
    const exchange = open(req, res)
    exchange.template = place.template
    exchange.path = place.parameters
    const { methods, allowed } = place.value
    answer(core, exchange, () => {
      const row = methods.get(req.method === 'HEAD' ? 'GET' : (req.method as string))
      if (!row) return refuseMethod(exchange, allowed)
      exchange.limit = row.limit
      return serveRow(core, row, exchange).catch((error) => {
        throw withGuess(error, row, req)
      })
      // If even the error cannot be sent, the connection is closed.
    }).catch(() => res.destroy())
    return true
  }
}

/** Answers one request to a row, or throws the error to answer with. */
function serveRow(core: Core, row: Row, exchange: Exchange): Promise<void> {
  return core.atOnce.during(exchange, async (leave) => {
    await admit(core, exchange, row)
    // A stream stays open, and has limits of its own.
    if (row.serve) leave()
    if (row.method === 'GET') await serveRead(core, row, exchange)
    else await serveWrite(core, row, exchange)
  })
}

/**
 * Suggests an endpoint: a malformed id is mostly a word of another forum's path, as in
 * `/posts/search`.
 */
function withGuess(error: unknown, { method, path }: Row, { url }: IncomingMessage): unknown {
  if (!isAppError(error) || error.details.reason !== 'form') return error
  const instead = meantEndpoint(method, pathOf(url))
  if (instead === `${method} ${path}`) return error
  return new AppError(error.code, { ...error.details, instead }, { cause: error })
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

import { isLost } from '@stoa/shared/bus/replies.js'
import { AppError, ERRORS, isAppError, wordingOf } from '@stoa/shared/errors/errors.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import { type Exchange, isRead, PRIVATE_CACHE, sendOnce } from '../http/exchange.ts'
import { HTML_TYPE } from '../http/media-types.ts'
import { PAGE_HEADERS } from '../http/page-headers.ts'
import { pathOf, queryOf } from '../http/path-of.ts'
import { fieldSentences, PROBLEM_TYPE, problem, retryAfterSeconds } from '../http/problem.ts'
import { firstText, parseQuery } from '../http/query.ts'
import { RateLimited } from '../limits/limiter.ts'
import { renderErrorPage } from '../pages/error.ts'
import { withQuery } from '../pages/links.ts'
import { logFailure } from './failure-log.ts'
import { instanceOf } from './instance.ts'

interface Deps {
  log: Logger
  config: { baseUrl: string }
}

/** Answers with an error and logs it. The console answers its own errors, with pages of its own. */
export function respondError(deps: Deps, exchange: Exchange, thrown: unknown): void {
  const error = expected(exchange, thrown)
  if (error instanceof RateLimited) exchange.budget = error.budget
  const instance = instanceOf(exchange.template, exchange.path)
  logFailure(
    deps.log,
    { request_id: exchange.requestId, code: error.code, instance },
    error,
    thrown,
  )
  const { status, headers, body } = problem(error, {
    baseUrl: deps.config.baseUrl,
    requestId: exchange.requestId,
    instance,
    isRepeatable: exchange.isRepeatable,
  })
  headers.push('Cache-Control', PRIVATE_CACHE)
  if (exchange.isPage) {
    const page = renderErrorPage(
      {
        code: error.code,
        ...ERRORS[error.code],
        ...wordingOf(error),
        request_id: exchange.requestId,
        fields: fieldSentences(error),
        retry_after_seconds: retryAfterSeconds(error),
        first_page: error.code === 'invalid_cursor' ? firstPage(exchange) : null,
      },
      deps.config,
    )
    sendOnce(exchange, status, HTML_TYPE, Buffer.from(page), [...headers, ...PAGE_HEADERS])
    return
  }
  sendOnce(exchange, status, PROBLEM_TYPE, body, headers)
}

/** The address that was asked for without its cursor. Two slashes would name another site. */
function firstPage({ req }: Exchange): string {
  const { before, ...filters } = parseQuery(queryOf(req.url))
  const query = Object.entries(filters).map(([name, value]) => [name, firstText(value)])
  return withQuery(pathOf(req.url).replace(/^\/+/, '/'), Object.fromEntries(query))
}

/**
 * The error to answer with. A read that was lost has changed nothing, so it can be repeated safely.
 * Express reports a path it cannot decode as an error with a status of its own.
 */
function expected({ req }: Exchange, thrown: unknown): AppError {
  if (isRead(req) && isLost(thrown)) return new AppError('unavailable', { retry_after_seconds: 1 })
  if (isAppError(thrown)) return isRead(req) ? ofRead(thrown) : thrown
  const status = (thrown as { status?: unknown } | null)?.status
  return new AppError(status === 400 ? 'bad_request' : 'internal')
}

/** The advice after a timeout is about a write that may have landed, which no reader has sent. */
function ofRead(error: AppError): AppError {
  return error.code === 'timeout'
    ? new AppError('timeout', { ...error.details, reason: 'read' })
    : error
}

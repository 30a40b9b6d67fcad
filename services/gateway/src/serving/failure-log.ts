import { type AppError, isAppError } from '@stoa/shared/errors/errors.js'
import type { Logger } from '@stoa/shared/process/logger.js'

const LINES_MAX = 100
const WINDOW_MS = 10_000

/**
 * Logs a request that was answered with an error. A bug of the gateway is logged with its cause,
 * because nothing else logs it; a bug of another service is logged there, and here only as a failed
 * request.
 */
export function logFailure(log: Logger, about: object, error: AppError, thrown: unknown): void {
  if (!isAppError(thrown) && error.code === 'internal') log.error({ ...about, err: thrown }, 'bug')
  else if (error.status >= 500) logFailed(log, about)
  else log.debug(about, 'request refused')
}

/** For each log, how many requests failed since its window began; no entry if no window is open. */
const windows = new WeakMap<object, number>()

/**
 * Logs that a request failed through no fault of its own. In an outage all requests fail, and a log
 * of bounded size would soon lose how the outage began: so only the first failures of each window
 * are logged, and at its end the number of the others.
 */
function logFailed(log: Pick<Logger, 'warn'>, about: object): void {
  const before = windows.get(log)
  if (before === undefined) setTimeout(() => endWindow(log), WINDOW_MS).unref()
  const failed = (before ?? 0) + 1
  windows.set(log, failed)
  if (failed <= LINES_MAX) log.warn(about, 'request failed')
}

function endWindow(log: Pick<Logger, 'warn'>): void {
  const more = (windows.get(log) ?? 0) - LINES_MAX
  windows.delete(log)
  if (more > 0) log.warn({ failed: more }, 'more requests failed than are logged')
}

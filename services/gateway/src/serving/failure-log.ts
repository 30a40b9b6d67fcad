import { type AppError, isAppError } from '@stoa/shared/errors/errors.js'
import type { Logger } from '@stoa/shared/process/logger.js'

const LINES_MAX = 100
const WINDOW_MS = 10_000

/**
 * Logs what was answered with an error: a bug of the gateway with its cause, since nobody else does. One of
 * another service is logged there, and is a request that failed here.
 */
export function logFailure(log: Logger, about: object, error: AppError, thrown: unknown): void {
  if (!isAppError(thrown) && error.code === 'internal') log.error({ ...about, err: thrown }, 'bug')
  else if (error.status >= 500) logFailed(log, about)
  else log.debug(about, 'request refused')
}

/** How many failed since the window of a log began; no entry where none is open. */
const windows = new WeakMap<object, number>()

/**
 * Logs that a request failed through no fault of its own. In an outage all of them do, and a log of
 * bounded size would soon hold nothing of how that began: of many the first are logged, and then
 * how many were not, while it is still plain when that was.
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

import type { Logger } from '@stoa/shared/process/logger.js'

const LINES_MAX = 100
const WINDOW_MS = 10_000

interface Window {
  beganAt: number
  failed: number
}

const windows = new WeakMap<object, Window>()

/**
 * Logs that a request failed through no fault of its own. In an outage all of them do, and a log of
 * bounded size would soon hold nothing of how that began: of many the first are logged, and then
 * how many were not.
 */
export function logFailed(log: Pick<Logger, 'warn'>, about: object): void {
  const now = performance.now()
  const before = windows.get(log)
  const isOver = before === undefined || now - before.beganAt >= WINDOW_MS
  const window = isOver ? { beganAt: now, failed: 0 } : before
  if (isOver) {
    windows.set(log, window)
    const more = (before?.failed ?? 0) - LINES_MAX
    if (more > 0) log.warn({ failed: more }, 'more requests failed than are logged')
  }
  window.failed++
  if (window.failed <= LINES_MAX) log.warn(about, 'request failed')
}

import type { EventEmitter } from 'node:events'
import type { Logger } from './logger.ts'

/** The settings common to all circuit breakers, by opossum's names. */
export const BREAKER = {
  // The call behind a breaker has a deadline of its own, which also ends it.
  timeout: false as const,
  resetTimeout: 2_000,
  rollingCountTimeout: 10_000,
  errorThresholdPercentage: 50,
  // Nobody reads the percentiles, and they would be sorted every second.
  rollingPercentilesEnabled: false,
}

/**
 * Logs once that a breaker is open, with the last failure, and once that it is closed again. In
 * between it is half-open every two seconds, and each try that fails opens it again.
 */
export function logTurns(
  breaker: Pick<EventEmitter, 'on'> & { name: string },
  log: Logger,
  said: { open: string; closed: string },
): void {
  const downstream = breaker.name
  let isOpen = false
  let reason: unknown
  breaker.on('failure', (error: unknown) => {
    reason = error
  })
  breaker.on('open', () => {
    if (!isOpen) log.warn({ downstream, err: reason }, said.open)
    isOpen = true
  })
  breaker.on('close', () => {
    log.info({ downstream }, said.closed)
    isOpen = false
  })
}

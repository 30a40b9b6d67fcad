import { isOfBus } from '@stoa/shared/bus/replies.js'
import { AppError, isAppError, isUnanswered } from '@stoa/shared/errors/errors.js'
import { BREAKER, logTurns } from '@stoa/shared/process/breaker.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import type { Breaker } from '@stoa/shared/process/metrics.js'
import CircuitBreaker from 'opossum'

const DOWNSTREAMS = ['content', 'search', 'ranking', 'scanner', 'redis'] as const
export type Downstream = (typeof DOWNSTREAMS)[number]

export interface Breakers {
  /** Runs `work`; throws `unavailable` at once while the breaker is open. */
  run<T>(name: Downstream, work: () => Promise<T>): Promise<T>
  all: readonly Breaker[]
  close(): void
}

/** Fewer requests than this in ten seconds say nothing about the other side. */
const VOLUME_MIN = 10

type Work = () => Promise<unknown>

/** One circuit breaker for each service and store that the gateway depends on. */
export function createBreakers(log: Logger): Breakers {
  const breakers = Object.fromEntries(
    DOWNSTREAMS.map((name) => [name, createBreaker(name, log)]),
  ) as Record<Downstream, CircuitBreaker<[Work], unknown>>
  return {
    run: <T>(name: Downstream, work: () => Promise<T>) =>
      breakers[name].fire(work).catch((error: unknown) => {
        if (!CircuitBreaker.isOurError(error as Error)) throw error
        throw new AppError('unavailable', { retry_after_seconds: BREAKER.resetTimeout / 1_000 })
      }) as Promise<T>,
    all: Object.values(breakers),
    close: () => {
      for (const breaker of Object.values(breakers)) breaker.shutdown()
    },
  }
}

function createBreaker(name: Downstream, log: Logger): CircuitBreaker<[Work], unknown> {
  const breaker = new CircuitBreaker<[Work], unknown>((work) => work(), {
    ...BREAKER,
    name,
    volumeThreshold: VOLUME_MIN,
    // A request that the other side refused, or failed on, shows that the other side answers.
    errorFilter: (error: unknown) => isAppError(error) && !isOutage(error),
  })
  logTurns(breaker, log, { open: 'circuit breaker open', closed: 'circuit breaker closed' })
  return breaker
}

/**
 * Whether an error says that a service is down. An error with a reason of its own was answered by a
 * service that is well. Without a bus requests fail at once, and a breaker that opened for that
 * would keep callers out when the bus is back.
 */
function isOutage(error: AppError): boolean {
  return isUnanswered(error) && error.details.reason === undefined && !isOfBus(error)
}

import { AppError } from '@stoa/shared/errors/errors.js'
import type { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Breakers } from '../downstream/breakers.ts'
import { type Budget, isReadClass, LIMIT_CLASSES, type LimitClass, type Rate } from './classes.ts'
import { resetSeconds } from './rate-headers.ts'
import { Windows } from './windows.ts'

export interface LimiterSettings {
  isOn: boolean
  rates: Record<LimitClass, Rate>
  replicas: number
}

export interface Limiter {
  /** Counts one request; undefined when limits are off. Throws `rate_limited` with the budget. */
  take(name: LimitClass, key: string): Promise<Budget | undefined>
  /** Counts one read from the cache; undefined when limits are off, null when no read is left. */
  takeRead(name: LimitClass, key: string): Budget | undefined | null
  /** Throws `rate_limited` if no further read would fit; counts none. */
  requireRead(name: LimitClass, key: string): void
  /** What the agent has left of each budget. */
  budgets(key: string): Promise<Budget[]>
}

/** The error carries the exceeded budget, which its headers show. */
export class RateLimited extends AppError {
  readonly budget: Budget

  constructor(budget: Budget) {
    super('rate_limited', { retry_after_seconds: resetSeconds(budget.resetMs) })
    this.budget = budget
  }
}

/**
 * Writes are counted in Redis, so that all gateways count together; while Redis is away, each
 * gateway counts its share in process. Reads are always counted in process.
 */
export function createLimiter(
  settings: LimiterSettings,
  redis: Redis,
  breakers: Breakers,
): Limiter {
  const counters = Object.fromEntries(
    LIMIT_CLASSES.map((name) => [name, createCounter(name, settings, redis, breakers)]),
  ) as Record<LimitClass, Counter>
  return {
    take: async (name, key) => {
      if (!settings.isOn) return undefined
      const budget = await counters[name].take(key)
      if (budget.remaining < 0) throw new RateLimited({ ...budget, remaining: 0 })
      return budget
    },
    takeRead: (name, key) => {
      if (!settings.isOn) return undefined
      const { windows } = counters[name]
      const now = performance.now()
      return windows.hasRoom(key, now) ? windows.take(key, now) : null
    },
    requireRead: (name, key) => {
      const { windows } = counters[name]
      const now = performance.now()
      if (!windows.hasRoom(key, now))
        throw new RateLimited({ ...windows.peek(key, now), remaining: 0 })
    },
    budgets: (key) => Promise.all(LIMIT_CLASSES.map((name) => counters[name].peek(key))),
  }
}

interface Counter {
  windows: Windows
  take(key: string): Promise<Budget>
  peek(key: string): Promise<Budget>
}

function createCounter(
  name: LimitClass,
  { rates, replicas }: LimiterSettings,
  redis: Redis,
  breakers: Breakers,
): Counter {
  const rate = rates[name]
  if (isReadClass(name)) {
    const windows = new Windows(name, rate)
    return {
      windows,
      take: async (key) => windows.take(key, performance.now()),
      peek: async (key) => windows.peek(key, performance.now()),
    }
  }
  const share = { ...rate, points: Math.max(1, Math.floor(rate.points / replicas)) }
  const windows = new Windows(name, share)
  const shared = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `limit:${name}`,
    points: rate.points,
    duration: rate.windowSeconds,
  })
  const windowMs = rate.windowSeconds * 1_000
  const budgetOf = (result: RateLimiterRes | null): Budget => ({
    name,
    rate,
    remaining: rate.points - (result?.consumedPoints ?? 0),
    resetMs: result?.msBeforeNext ?? windowMs,
  })
  /**
   * Redis stores when a window ends. If its clock was set back since, more than a whole window
   * would be left, so such a window counts as over.
   */
  const current = (result: RateLimiterRes | null) =>
    result && result.msBeforeNext > windowMs ? null : result
  const countOnce = async (key: string) => {
    try {
      return await shared.consume(key)
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused
      throw refused
    }
  }
  const countShared = async (key: string) => {
    const counted = current(await countOnce(key))
    if (counted) return counted
    await shared.delete(key)
    return countOnce(key)
  }
  return {
    windows,
    take: (key) =>
      breakers
        .run('redis', () => countShared(key))
        .then(budgetOf)
        .catch(() => windows.take(key, performance.now())),
    peek: (key) =>
      breakers
        .run('redis', () => shared.get(key))
        .then(current)
        .then(budgetOf)
        .catch(() => windows.peek(key, performance.now())),
  }
}

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { randomToken } from '@stoa/shared/identifiers/ids.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import type { Redis } from 'ioredis'
import { eventuallyPasses } from '../../../../tests/support/eventually.ts'
import { lineTo } from '../../../../tests/support/line-to.ts'
import { type Breakers, createBreakers } from '../downstream/breakers.ts'
import { connectRedis } from '../downstream/redis.ts'
import { type Budget, LIMIT_CLASSES } from './classes.ts'
import { createLimiter, type LimiterSettings, RateLimited } from './limiter.ts'

const windowSeconds = 60
const log = createLogger('gateway', 'info', { write: () => {} })

let line: Awaited<ReturnType<typeof lineTo>>
let redis: Redis
let breakers: Breakers

beforeEach(async () => {
  line = await lineTo(process.env.TEST_REDIS_URL as string)
  redis = await connectRedis(line.url, `${randomToken(8)}:`, log)
  breakers = createBreakers(log)
})

afterEach(async () => {
  breakers.close()
  redis.disconnect()
  await line.close()
})

/** A limiter that allows `points` requests of each class. */
function limiterOf(points: number, settings: Partial<LimiterSettings> = {}) {
  const rates = Object.fromEntries(
    LIMIT_CLASSES.map((name) => [name, { points, windowSeconds }]),
  ) as LimiterSettings['rates']
  return createLimiter({ isOn: true, rates, replicas: 1, ...settings }, redis, breakers)
}

async function refusal(act: () => unknown): Promise<Budget | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof RateLimited) return error.budget
    throw error
  }
}

describe('a limiter that is switched off', () => {
  it('counts nothing and refuses nothing', async () => {
    const limiter = limiterOf(1, { isOn: false })

    for (let n = 0; n < 3; n++) {
      expect(await limiter.take('post', 'ann')).toBeUndefined()
      expect(await limiter.take('read', 'ann')).toBeUndefined()
      expect(limiter.takeRead('read', 'ann')).toBeUndefined()
      limiter.requireRead('read', 'ann')
    }

    const left = (await limiter.budgets('ann')).map(({ remaining }) => remaining)
    expect(new Set(left)).toEqual(new Set([1]))
  })
})

describe('a budget', () => {
  it('is whole and resets after a whole window if nothing was taken from it', async () => {
    const limiter = limiterOf(2, { replicas: 2 })

    // On a busy machine Redis answers too late at first, and the gateway shows its own share.
    await eventuallyPasses(async () => {
      const budgets = await limiter.budgets('ann')
      for (const { name, remaining, resetMs } of budgets) {
        expect({ name, remaining, resetMs }).toEqual({ name, remaining: 2, resetMs: 60_000 })
      }
      expect(budgets.map(({ name }) => name)).toEqual(LIMIT_CLASSES)
    })
  })

  it('has 0 requests remaining after a refusal, not less', async () => {
    const limiter = limiterOf(1)
    for (const name of ['post', 'read'] as const) {
      await limiter.take(name, 'ann')
      expect(await refusal(() => limiter.take(name, 'ann'))).toMatchObject({ name, remaining: 0 })
    }

    expect(await refusal(() => limiter.requireRead('read', 'ann'))).toMatchObject({ remaining: 0 })
    expect(limiter.takeRead('read', 'ann')).toBeNull()
  })

  it('is shared by cached and other answers if it is for reads', async () => {
    const limiter = limiterOf(3)
    await limiter.take('read', 'ann')

    expect(limiter.takeRead('read', 'ann')).toMatchObject({ name: 'read', remaining: 1 })
    expect(await limiter.take('read', 'ann')).toMatchObject({ remaining: 0 })
  })

  it('admits one request at each gateway while Redis is away, even if there are more gateways than requests', async () => {
    const limiter = limiterOf(2, { replicas: 3 })
    line.lose()

    expect(await limiter.take('post', 'ann')).toMatchObject({ remaining: 0 })
    const post = expect.objectContaining({ name: 'post', remaining: 0 })
    expect(await limiter.budgets('ann')).toContainEqual(post)
    expect(await refusal(() => limiter.take('post', 'ann'))).toBeDefined()
  })
})

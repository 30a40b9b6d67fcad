import { type Answer, answer, reply } from '@stoa/shared/bus/serve.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import type { Core } from './core.ts'

/** What a gateway answers over the bus: whether it is well. */
export const healthAnswers: Answer<Core>[] = [
  answer<Core, typeof serviceHealth.gateway>(serviceHealth.gateway, async (core) => {
    const cache = await core.redisStatus()
    const status = cache === 'ok' ? 'ok' : 'degraded'
    return reply({ object: 'health' as const, status, parts: { cache } })
  }),
]

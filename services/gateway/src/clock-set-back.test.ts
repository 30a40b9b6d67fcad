import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { Bus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../tests/support/eventually.ts'
import { ResponseCache } from './cache/response-cache.ts'
import { readHealth } from './composition/read-health.ts'
import type { Core } from './core.ts'
import { createReplicas } from './downstream/replicas.ts'

const HOUR_MS = 3_600_000

const now = Date.now.bind(Date)
let behindMs = 0

/** From this call on the computer's clock is an hour behind. */
function setClockBack(): void {
  behindMs = HOUR_MS
}

beforeEach(() => {
  behindMs = 0
  jest.spyOn(Date, 'now').mockImplementation(() => now() - behindMs)
})

afterEach(() => {
  jest.restoreAllMocks()
})

describe('after the system clock was set back', () => {
  it('health still reports a service that goes down', async () => {
    let isUp = true
    const ask = async () => {
      if (!isUp) throw new Error('away')
      return { object: 'health', status: 'ok', parts: { database: 'ok' } }
    }
    const asRaw = async () => ({ json: Buffer.from(JSON.stringify(await ask())), meta: {} })
    const bus = { answers: ask, request: ask, requestRaw: asRaw } as unknown as Bus
    const replicas = createReplicas(bus, createLogger('gateway', 'silent'))
    const core = { bus, replicas, redisStatus: ask } as unknown as Core
    const status = async () => {
      const { json } = await readHealth(core, {}, {} as Meta)
      return JSON.parse(Buffer.from(json).toString()).services.content.status
    }
    expect(await status()).toBe('ok')
    isUp = false
    setClockBack()

    await eventually('content is down', async () => (await status()) !== 'ok')
  })

  it('a cached answer is kept no longer than before', async () => {
    const limits = { bytesMax: 1_000_000, freshMs: 50, graceMs: 20, staleIfErrorMs: 0 }
    const cache = new ResponseCache(limits)
    await cache.read('key', async () => ({
      body: Buffer.from('kept'),
      contentType: 'text/plain',
      tags: [],
    }))
    setClockBack()

    await eventually('it is kept no more', async () => cache.fresh('key') === undefined)
  })
})

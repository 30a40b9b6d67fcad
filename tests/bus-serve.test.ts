import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectBus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Answer, answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { ofEach, type RequestContract } from '@stoa/shared/contracts/contract.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { claimAlert } from '@stoa/shared/contracts/moderation.js'
import { rankSnapshot } from '@stoa/shared/contracts/rank.js'
import { findHits } from '@stoa/shared/contracts/search.js'
import { AppError, isAppError } from '@stoa/shared/errors/errors.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { createAsk } from '../services/gateway/src/downstream/ask.ts'
import { createBreakers } from '../services/gateway/src/downstream/breakers.ts'
import { eventually } from './support/eventually.ts'
import { lineTo } from './support/line-to.ts'
import { OwnNats } from './support/own-nats.ts'
import { signal } from './support/signal.ts'

const META = { requestId: 'test', remainingMs: 15_000 }

let nats: OwnNats
const opened: { close(): Promise<unknown> }[] = []

beforeAll(async () => {
  nats = await OwnNats.start()
})

afterAll(async () => {
  for (const one of opened) await one.close()
  await nats.remove()
})

it('serve() resolves only once the bus routes requests to the service', async () => {
  const line = await lineTo(nats.urlFor('ranking'))
  const serving = await connectBus('ranking', line.url)
  const asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking, serving, line)
  const ask = () => asking.request(serviceHealth.ranking, {}, META)

  line.hold()
  const served = serve(serving, {}, [wellOf('ranking')], createLogger('ranking', 'silent'))
  const first = await Promise.race([served.then(() => 'served'), ask().catch(codeOf)])
  expect(first).toBe('unavailable')

  line.release()
  await served
  expect(await ask()).toMatchObject({ status: 'ok' })
})

it('a stopping service answers the requests that it has taken, and takes no new ones', async () => {
  const serving = await connectBus('content', nats.urlFor('content'))
  const asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking, serving)
  const patient = { ...serviceHealth.content, timeoutMs: META.remainingMs }
  const ask = () => asking.request(patient, {}, META)
  let begun = 0
  const held = signal()
  const slow = answer(patient, async () => {
    begun++
    await held.given
    return reply({ object: 'health' as const, status: 'ok' as const, parts: {} })
  })
  const served = await serve(serving, {}, [slow], createLogger('content', 'silent'))

  const inHand = ask()
  await eventually('the request has arrived', async () => begun > 0)
  let stopped = false
  const stopping = served.stop().then(() => {
    stopped = true
  })
  // A request that comes before the bus has heard of the stop is in hand too, so nobody waits for
  // its answer.
  const refused = () => Promise.race([ask().catch(codeOf), pause(50)])
  await eventually('nobody takes requests', async () => (await refused()) === 'unavailable')
  expect(stopped).toBe(false)

  held.give()
  await stopping
  await serving.close()
  expect(await inHand).toMatchObject({ status: 'ok' })
})

it('a service answers a request that it took before its connection was lost', async () => {
  const serving = await connectBus('content', nats.urlFor('content'))
  const asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking, serving)
  const begun = signal()
  const held = signal()
  const slow = answer(serviceHealth.content, async () => {
    begun.give()
    await held.given
    return reply({ object: 'health' as const, status: 'ok' as const, parts: {} })
  })
  const served = await serve(serving, {}, [slow], createLogger('content', 'silent'))
  const patient = { ...serviceHealth.content, timeoutMs: META.remainingMs }
  const asked = asking.request(patient, {}, META).then(({ status }) => status, codeOf)
  await begun.given

  const isBack = signal()
  serving.watch({ back: isBack.give })
  await serving.nc.reconnect()
  await isBack.given
  held.give()

  expect(await asked).toBe('ok')
  await served.stop()
})

it('a service holds 512 requests, refuses the next, and stops only after its last answer', async () => {
  const serving = await connectBus('content', nats.urlFor('content'))
  const asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking, serving)
  const held: (() => void)[] = []
  const slow = answer(serviceHealth.content, async () => {
    await new Promise<void>((resolve) => held.push(resolve))
    return reply({ object: 'health' as const, status: 'ok' as const, parts: {} })
  })
  const served = await serve(serving, {}, [slow], createLogger('content', 'silent'))
  const patient = { ...serviceHealth.content, timeoutMs: META.remainingMs }
  const ask = () => asking.request(patient, {}, META).then(({ status }) => status, codeOf)

  const [first, ...others] = Array.from({ length: 512 }, ask)
  await eventually('all are in hand', async () => held.length === 512)
  expect(await Promise.race([ask(), pause(5_000, 'still waits', { ref: false })])).toBe(
    'unavailable',
  )

  let isStopped = false
  const stopping = served.stop().then(() => {
    isStopped = true
  })
  // From here on it waits for answers alone.
  await serving.settled()
  for (const give of held.slice(1).reverse()) give()
  expect(new Set(await Promise.all(others))).toEqual(new Set(['ok']))
  expect(isStopped).toBe(false)

  held[0]?.()
  expect(await first).toBe('ok')
  await stopping
})

it('a service stops within 30 seconds even if a request that it took never gets an answer', async () => {
  const serving = await connectBus('scanner', nats.urlFor('scanner'))
  const asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking, serving)
  const begun = signal()
  const hanging = answer(serviceHealth.scanner, () => {
    begun.give()
    return new Promise<never>(() => {})
  })
  const served = await serve(serving, {}, [hanging], createLogger('scanner', 'silent'))
  const asked = asking.request(serviceHealth.scanner, {}, META).catch(codeOf)
  await begun.given

  const stopping = served.stop().then(() => 'stopped')

  expect(await Promise.race([stopping, pause(30_000, 'still waits', { ref: false })])).toBe(
    'stopped',
  )
  await asked
})

it('a replica that stands aside takes only requests to all replicas, and none once it is stopped', async () => {
  const serving = await connectBus('search', nats.urlFor('search'))
  const asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking, serving)
  const ask = (contract: RequestContract) => asking.request(contract, {}, META).catch(codeOf)
  const [shared, each] = [serviceHealth.search, ofEach(serviceHealth.search)]
  const log = createLogger('search', 'silent')
  const served = await serve(serving, {}, [wellOf('search')], log)

  // As if the database came and went, even faster than the bus hears of it.
  const ways = ['standAside', 'takePart', 'takePart', 'standAside', 'standAside'] as const
  for (const way of ways) served[way]()
  await serving.settled()
  expect(await ask(shared)).toBe('unavailable')
  expect(await ask(each)).toMatchObject({ status: 'ok' })

  served.takePart()
  await serving.settled()
  expect(await ask(shared)).toMatchObject({ status: 'ok' })

  served.standAside()
  await served.stop()
  served.takePart()
  await serving.settled()
  expect(await ask(shared)).toBe('unavailable')
  expect(await ask(each)).toBe('unavailable')
})

it('a request to all replicas returns the answer of one replica although another refuses', async () => {
  const [busy, free] = [
    await connectBus('content', nats.urlFor('content')),
    await connectBus('content', nats.urlFor('content')),
  ]
  const asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking, busy, free)
  const refused = signal()
  const refusing = answer(serviceHealth.content, () => {
    refused.give()
    return Promise.reject(new AppError('unavailable'))
  })
  const answering = answer(serviceHealth.content, async () => {
    await refused.given
    // By then the refusal of the other replica is on its way to the asker.
    await busy.nc.flush()
    return reply({ object: 'health' as const, status: 'ok' as const, parts: {} })
  })
  const log = createLogger('content', 'silent')
  const served = [await serve(busy, {}, [refusing], log), await serve(free, {}, [answering], log)]

  const answered = await asking.request(
    { ...ofEach(serviceHealth.content), timeoutMs: META.remainingMs },
    {},
    META,
  )

  expect(answered).toMatchObject({ status: 'ok' })
  for (const { stop } of served) await stop()
})

it('a read is answered by another replica if the first hangs, while a write times out', async () => {
  const line = await lineTo(nats.urlFor('ranking'))
  const hanging = await connectBus('ranking', line.url)
  const well = await connectBus('ranking', nats.urlFor('ranking'))
  const asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking, hanging, well, line)
  const log = createLogger('ranking', 'silent')
  await serve(hanging, {}, [wellOf('ranking')], log)
  const served = await serve(well, {}, [wellOf('ranking')], log)
  const patient = { ...serviceHealth.ranking, timeoutMs: META.remainingMs }
  // So many requests at once reach both replicas: that they miss one by chance is one in four
  // million.
  const askAll = (meta: Meta) =>
    Promise.all(
      Array.from({ length: 24 }, () =>
        asking.request(patient, {}, meta).then(({ status }) => status, codeOf),
      ),
    )

  line.hold()
  const [reads, writes] = await Promise.all([
    askAll({ ...META, isSafe: true }),
    Promise.race([askAll({ ...META, remainingMs: 2_000 }), pause(10_000, [], { ref: false })]),
  ])

  expect(new Set(reads)).toEqual(new Set(['ok']))
  expect(new Set(writes)).toEqual(new Set(['ok', 'timeout']))
  await served.stop()
})

it.each([
  ['enough to do', 'unavailable'],
  ['too little time', 'timeout'],
] as const)(
  'a read waits for a slow replica even if another replica with %s refuses the read',
  async (_, code) => {
    const [slow, full] = [
      await connectBus('search', nats.urlFor('search')),
      await connectBus('search', nats.urlFor('search')),
    ]
    const asking = await connectBus('gateway', nats.urlFor('gateway'))
    opened.push(asking, slow, full)
    const refused = signal()
    const refusing = answer(serviceHealth.search, () => {
      refused.give()
      return Promise.reject(new AppError(code))
    })
    const answering = answer(serviceHealth.search, async () => {
      await refused.given
      // By then the refusal of the other replica is on its way to the asker.
      await full.nc.flush()
      return reply({ object: 'health' as const, status: 'ok' as const, parts: {} })
    })
    const log = createLogger('search', 'silent')
    const first = await serve(slow, {}, [answering], log)
    const patient = { ...serviceHealth.search, timeoutMs: META.remainingMs }

    const read = asking.request(patient, {}, { ...META, isSafe: true })
    await asking.settled()
    const second = await serve(full, {}, [refusing], log)

    expect(await read).toMatchObject({ status: 'ok' })
    for (const { stop } of [first, second]) await stop()
  },
)

describe('two services of different releases', () => {
  const said: string[] = []
  const log = createLogger('content', 'info', { write: (line) => void said.push(line) })
  const claim = async (answered: Answer<object>, input = {}) => {
    const serving = await connectBus('content', nats.urlFor('content'))
    const asking = await connectBus('gateway', nats.urlFor('gateway'))
    opened.push(asking, serving)
    const served = await serve(serving, {}, [answered], log)
    const error = await asking.request(claimAlert, input as never, META).catch((thrown) => thrown)
    await served.stop()
    return error
  }

  it('refuse input that only the caller accepts, and name the field', async () => {
    const never = answer(claimAlert, () => Promise.reject(new Error('was asked')))

    const error = await claim(never, { id: 'the-first' })

    expect(error).toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/id', received: 'the-first' }] },
    })
    expect(said.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: 'the asker took bad input', request: claimAlert.name, request_id: 'test' },
    ])
  })

  it('fill in the default of a field that the caller does not send yet', async () => {
    const serving = await connectBus('content', nats.urlFor('content'))
    const asking = await connectBus('ranking', nats.urlFor('ranking'))
    opened.push(asking, serving)
    const counting = answer(rankSnapshot, async (_, { limit }) =>
      reply({ object: 'snapshot' as const, items: [], total: limit }),
    )
    const served = await serve(serving, {}, [counting], createLogger('content', 'silent'))

    const { total } = await asking.request(rankSnapshot, {} as never, META)

    expect(total).toBe(5_000)
    await served.stop()
  })

  it('tell a request that the other service does not know yet from a service that is away', async () => {
    const asking = await connectBus('gateway', nats.urlFor('gateway'))
    const breakers = createBreakers(createLogger('gateway', 'silent'))
    opened.push(asking, { close: async () => breakers.close() })
    const ask = createAsk(asking, breakers)
    const thrown = (contract: RequestContract) => ask(contract, {}, META).catch((error) => error)
    const isOpen = () => breakers.all.find(({ name }) => name === 'search')?.opened

    const before = await connectBus('search', nats.urlFor('search'))
    const served = await serve(before, {}, [wellOf('search')], createLogger('search', 'silent'))
    for (let i = 0; i < 30; i++) {
      expect(await thrown(findHits)).toMatchObject({
        code: 'unavailable',
        details: { retry_after_seconds: 30, reason: 'releases' },
      })
    }
    expect(isOpen()).toBe(false)
    expect(await thrown(serviceHealth.search)).not.toBeInstanceOf(Error)

    await served.stop()
    await before.close()
    expect((await thrown(findHits)).details).toEqual({ retry_after_seconds: 1 })
    for (let i = 0; i < 60; i++) await thrown(findHits)
    expect(isOpen()).toBe(true)
  })

  it('report a refusal that the caller does not know as unavailable, to be retried', async () => {
    const error = new AppError('already_decided')
    Object.assign(error, { code: 'of_the_next_release' })
    Object.defineProperty(error, 'status', { value: 409 })
    const refusing = answer(claimAlert, () => Promise.reject(error))

    expect(
      await claim(refusing, { id: `alr_${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}` }),
    ).toMatchObject({
      code: 'unavailable',
      details: { retry_after_seconds: 30, reason: 'releases' },
    })
  })
})

function wellOf(service: 'ranking' | 'search') {
  return answer(serviceHealth[service], async () =>
    reply({ object: 'health' as const, status: 'ok' as const, parts: {} }),
  )
}

function codeOf(error: unknown): string | undefined {
  return isAppError(error) ? error.code : undefined
}

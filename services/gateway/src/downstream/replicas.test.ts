import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { lineTo } from '../../../../tests/support/line-to.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { createReplicas } from './replicas.ts'

const META = { requestId: 'test', remainingMs: 5_000 }
const SOON = { ...META, remainingMs: 200 }
const HAS_BUS = Promise.resolve(true)

let nats: OwnNats
let asking: Bus
/** Names of the contracts asked. */
let asked: string[]
let said: { msg: string; downstream: string; replica: string }[]

const opened: { close(): Promise<unknown> }[] = []

beforeAll(async () => {
  nats = await OwnNats.start()
  asking = await connectBus('gateway', nats.urlFor('gateway'))
  opened.push(asking)
})

afterAll(async () => {
  for (const one of opened) await one.close()
  await nats.remove()
})

/** The replicas as a gateway that has just been started knows them. */
function known() {
  asked = []
  said = []
  const requestRaw: Bus['requestRaw'] = (contract, ...rest) => {
    asked.push(contract.name)
    return asking.requestRaw(contract, ...rest)
  }
  const log = createLogger('gateway', 'info', { write: (line) => void said.push(JSON.parse(line)) })
  return createReplicas({ ...asking, requestRaw }, log)
}

async function connect(url: string): Promise<Bus> {
  const bus = await connectBus('ranking', url)
  opened.push(bus)
  return bus
}

/** Starts one more replica of ranking on this connection. */
function start(bus: Bus) {
  const well = answer(serviceHealth.ranking, async () =>
    reply({ object: 'health' as const, status: 'ok' as const, parts: {} }),
  )
  return serve(bus, {}, [well], createLogger('ranking', 'silent'))
}

it('a gateway asks at most 64 stopped replicas once more, and then only the new replica', async () => {
  const { ranking } = known()
  const bus = await connect(nats.urlFor('ranking'))
  for (let n = 0; n < 65; n++) {
    const { stop } = await start(bus)
    await ranking.askAny(META)
    await stop()
  }

  asked = []
  expect(await ranking.allAnswer(META, HAS_BUS)).toBe(true)
  // At most 64 replicas are asked one by one.
  expect(asked).toHaveLength(64)

  const { stop } = await start(bus)
  await ranking.askAny(META)
  asked = []
  expect(await ranking.allAnswer(META, HAS_BUS)).toBe(true)
  expect(asked).toHaveLength(1)
  expect(said).toEqual([])
  await stop()
})

it('a gateway logs a hanging replica once, and logs nothing while the bus itself hangs', async () => {
  const { ranking } = known()
  const line = await lineTo(nats.urlFor('ranking'))
  opened.push(line)
  const { stop } = await start(await connect(line.url))
  await ranking.askAny(META)

  line.hold()
  expect(await ranking.allAnswer(SOON, Promise.resolve(false))).toBe(true)
  expect(said).toEqual([])
  for (const _ of [1, 2]) expect(await ranking.allAnswer(SOON, HAS_BUS)).toBe(false)
  line.release()
  for (const _ of [1, 2]) expect(await ranking.allAnswer(META, HAS_BUS)).toBe(true)

  expect(said).toMatchObject([
    { msg: 'a replica hangs', downstream: 'ranking' },
    { msg: 'a replica answers again', downstream: 'ranking' },
  ])
  await stop()
})

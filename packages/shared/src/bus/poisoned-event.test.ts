import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { scanRequested } from '../contracts/scans.ts'
import { type Bus, connectBus } from './bus.ts'
import { cloudEvent } from './events.ts'
import { ensureStreams, STREAMS } from './streams.ts'

const DEATHS_MAX = 20

let nats: OwnNats
let bus: Bus

beforeAll(async () => {
  nats = await OwnNats.start()
  bus = await connectBus('content', nats.urlFor('content'))
  await ensureStreams(bus.nc)
})

afterAll(async () => {
  await bus?.close()
  await nats?.remove()
})

/** A scanner in a process of its own, which prints what it has handled and dies of one text. */
const CONSUMER = `
  import { connectBus } from '@stoa/shared/bus/bus.js'
  import { consume } from '@stoa/shared/bus/consume.js'
  import { STREAMS } from '@stoa/shared/bus/streams.js'
  import { scanRequested } from '@stoa/shared/contracts/scans.js'
  import { createLogger } from '@stoa/shared/process/logger.js'
  await consume({
    bus: await connectBus('scanner', process.env.NATS_URL),
    log: createLogger('scanner', 'silent'),
    stream: STREAMS.scan.name,
    durable: 'scanner',
    filter: scanRequested.subject,
    event: scanRequested,
    batchMax: 10,
    ackWaitMs: 400,
    handle: async (events) => {
      const ids = events.map((event) => event.data.cases[0].case_id)
      if (ids.includes('case_poison')) process.exit(1)
      for (const id of ids) console.log(id)
    },
  })`

it('an event that ends its consumer again and again is given up, and other events are handled', async () => {
  const handled = new Set<string>()
  for (const id of ['case_before', 'case_poison', 'case_after']) {
    const cases = [{ case_id: id, kind: 'post' as const, revision: 1 }]
    const event = cloudEvent(scanRequested, 'content', id, { cases })
    await bus.publish(scanRequested.subject, JSON.stringify(event), event.id)
  }

  let deaths = 0
  while (deaths < DEATHS_MAX && (await runConsumer(handled)) === 'ended') deaths += 1

  expect(handled).toEqual(new Set(['case_before', 'case_after']))
  expect(deaths).toBeLessThan(DEATHS_MAX)
  const jsm = await jetstreamManager(bus.nc)
  const letter = await jsm.streams.getMessage(STREAMS.dead.name, { seq: 1 })
  expect(letter?.json()).toMatchObject({ reason: 'ended its consumer too often' })
  expect((await jsm.streams.info(STREAMS.attempts.name)).state.messages).toBe(0)
  expect(await unhandled()).toBe(0)
})

/** Runs a consumer until it dies, or until nothing is left to do. */
async function runConsumer(handled: Set<string>): Promise<'ended' | 'done'> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CONSUMER], {
    cwd: import.meta.dirname,
    env: { ...process.env, NATS_URL: nats.urlFor('scanner') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const id of text.split('\n')) if (id !== '') handled.add(id)
  })
  const ended = once(child, 'close').then(() => 'ended' as const)
  const done = async () => {
    while (child.exitCode === null && (await unhandled()) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return 'done' as const
  }
  const outcome = await Promise.race([ended, done()])
  if (child.exitCode !== null) return 'ended'
  child.kill('SIGKILL')
  await ended
  return outcome
}

/** Events that wait in the stream, which an event leaves when it is handled or given up. */
async function unhandled(): Promise<number> {
  const jsm = await jetstreamManager(bus.nc)
  return (await jsm.streams.info(STREAMS.scan.name)).state.messages
}

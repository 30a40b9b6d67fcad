import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import { OwnNats } from './support/own-nats.ts'

let nats: OwnNats
let bus: Bus

beforeAll(async () => {
  nats = await OwnNats.start()
  bus = await connectBus('content', nats.urlFor('content'))
})

afterAll(async () => {
  await bus?.close()
  await nats?.remove()
})

it('ensureStreams gives an existing stream its present bounds and keeps the messages in it', async () => {
  const { name, subjects, retention, discard, max_msgs_per_subject, maxAgeMs } = STREAMS.scan
  await api('CREATE', { name, subjects, retention, discard, storage: 'file' })
  await bus.publish('scan.requested', '{}', 'before')

  await ensureStreams(bus.nc)

  const { config, state } = await api('INFO')
  expect(config).toMatchObject({
    ...{ max_msgs_per_subject, discard_new_per_subject: true },
    max_age: maxAgeMs * 1_000_000,
    // For two minutes, an event that is sent again after a lost acknowledgement is stored once.
    duplicate_window: 120_000 * 1_000_000,
  })
  expect(state.messages).toBe(1)
})

/** Asks JetStream's API about the stream. */
async function api(verb: string, request: object = {}) {
  const subject = `$JS.API.STREAM.${verb}.${STREAMS.scan.name}`
  const answer = await bus.nc.request(subject, JSON.stringify(request))
  return answer.json<{ config: object; state: { messages: number } }>()
}

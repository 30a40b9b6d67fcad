import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { SUBMISSION_DECIDED } from '../contracts/events.ts'
import { type Bus, connectBus } from './bus.ts'

let nats: OwnNats
let bus: Bus

beforeEach(async () => {
  nats = await OwnNats.start()
  bus = await connectBus('content', nats.urlFor('content'))
  await bus.settled()
})

afterEach(async () => {
  jest.restoreAllMocks()
  await bus?.close()
  await nats?.remove()
})

it('the bus client sends the messages of several promises in one turn as one packet', async () => {
  const packets: string[] = []
  for (const name of ['_write', '_writev'] as const) {
    const write = Socket.prototype[name] as (...given: unknown[]) => void
    jest.spyOn(Socket.prototype, name).mockImplementation(function (this: Socket, ...given) {
      packets.push(name)
      write.apply(this, given)
    })
  }

  for (let n = 0; n < 3; n++) {
    bus.tell(SUBMISSION_DECIDED, { case_ids: [] })
    // The client sends after each of these promises.
    for (let step = 0; step < 10; step++) await null
  }
  await new Promise(setImmediate)

  expect(packets).toEqual(['_writev'])
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { headers } from '@nats-io/nats-core'
import { holdUp } from '../../../../tests/support/hold-up.ts'
import { OwnNats } from '../../../../tests/support/own-nats.ts'
import { type Bus, connectBus } from './bus.ts'
import { listenForReplies } from './replies.ts'

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

it('a reply that came in time is accepted, even if its process was blocked until after the timeout', async () => {
  const replies = listenForReplies(bus.nc, '_INBOX.content', () => {})
  await bus.settled()

  const asked = replies.ask('$JS.API.INFO', '', headers(), 100)
  await nextTurn()
  holdUp(300)

  expect((await asked).json()).toMatchObject({ type: expect.stringContaining('account_info') })
})

import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { streamState } from '@stoa/shared/bus/stream-state.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import { run } from '../deploy/local/processes/child.mjs'
import { ROOT } from './support/documents.ts'
import { OwnNats } from './support/own-nats.ts'

let nats: OwnNats
let bus: Bus

beforeAll(async () => {
  nats = await OwnNats.start()
  bus = await connectBus('content', nats.urlFor('content'))
}, 30_000)

afterAll(async () => {
  await bus?.close()
  await nats?.remove()
}, 30_000)

/** What `npm run dead-letters` runs. */
function deadLetters(...words: string[]) {
  return run({
    command: process.execPath,
    args: [join(ROOT, 'packages/shared/dist/cli/dead-letters.js'), ...words],
    env: { ...process.env, NATS_URL: nats.url },
    timeoutMs: 20_000,
  })
}

it('a bus that has lost its streams is not taken for one without the letter', async () => {
  const { code, output } = await deadLetters('replay', '1')

  expect({ code, output }).toEqual({ code: 1, output: 'stream not found\n' })
})

it('a letter is listed until its event has been sent again', async () => {
  await ensureStreams(bus.nc)
  const letter = {
    reason: 'failed too often',
    stream: 'FORUM',
    stream_sequence: 7,
    subject: 'forum.post.published',
    at: '2026-01-02T03:04:05.000Z',
    event: '{}',
  }
  await bus.publish('dead.search', JSON.stringify(letter), 'dead.search.FORUM.7')

  expect((await deadLetters()).output).toBe(
    '1  2026-01-02T03:04:05.000Z  dead.search  forum.post.published (FORUM 7): failed too often\n',
  )
  expect((await deadLetters('replay', '1')).output).toBe('Sent to forum.post.published again.\n')
  expect((await streamState(bus.nc, STREAMS.forum.name)).messages).toBe(1)
  expect((await deadLetters('replay', '1')).output).toBe('There is no letter 1.\n')
  expect((await deadLetters()).output).toBe('No event has been given up.\n')
}, 60_000)

import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { streamState } from '@stoa/shared/bus/stream-state.js'
import { ensureStreams, STREAMS } from '@stoa/shared/bus/streams.js'
import { run } from '../deploy/local/processes/run.mjs'
import { ROOT } from './support/documents.ts'
import { OwnNats } from './support/own-nats.ts'

let nats: OwnNats
let bus: Bus
/** Only the operator may take letters out of the stream; services may not. */
let operator: Bus

beforeAll(async () => {
  nats = await OwnNats.start()
  bus = await connectBus('content', nats.urlFor('content'))
  operator = await connectBus('gateway', nats.url)
})

afterAll(async () => {
  await operator?.close()
  await bus?.close()
  await nats?.remove()
})

/** Runs the program of `npm run dead-letters`. */
function deadLetters(...words: string[]) {
  return run({
    command: process.execPath,
    args: [join(ROOT, 'packages/shared/dist/cli/dead-letters.js'), ...words],
    env: { ...process.env, NATS_URL: nats.url },
    timeoutMs: 60_000,
  })
}

it('dead-letters replay fails with "stream not found" if the bus has lost its streams', async () => {
  const { code, output } = await deadLetters('replay', '1')

  expect({ code, output }).toEqual({ code: 1, output: 'stream not found\n' })
})

/** Writes a dead letter as a consumer does. */
async function giveUp(sequence: number): Promise<void> {
  const letter = {
    reason: 'failed too often',
    stream: 'FORUM',
    stream_sequence: sequence,
    subject: 'forum.post.published',
    at: '2026-01-02T03:04:05.000Z',
    event: '{}',
  }
  await bus.publish('dead.search', JSON.stringify(letter), `dead.search.FORUM.${sequence}`)
}

async function drop(number: number): Promise<void> {
  const subject = `$JS.API.STREAM.MSG.DELETE.${STREAMS.dead.name}`
  const answer = await operator.nc.request(subject, JSON.stringify({ seq: number }))
  expect(answer.json()).toMatchObject({ success: true })
}

function lineOf(number: number, sequence: number): string {
  const from = `forum.post.published (FORUM ${sequence})`
  return `${number}  2026-01-02T03:04:05.000Z  dead.search  ${from}: failed too often\n`
}

it('dead-letters reports none if no event was ever given up', async () => {
  await ensureStreams(bus.nc)

  const listed = await deadLetters()

  expect(listed).toEqual({ code: 0, output: 'No event has been given up.\n' })
})

it('dead-letters lists a letter until its event has been sent again', async () => {
  await ensureStreams(bus.nc)
  await giveUp(7)

  expect((await deadLetters()).output).toBe(lineOf(1, 7))
  expect((await deadLetters('replay', '1')).output).toBe(
    'The event was sent to forum.post.published again.\n',
  )
  expect((await streamState(bus.nc, STREAMS.forum.name)).messages).toBe(1)
  expect((await deadLetters('replay', '1')).output).toBe('There is no dead letter 1.\n')
  expect((await deadLetters()).output).toBe('No event has been given up.\n')
})

it('dead-letters lists the newest 200 letters and counts the rest, also after newer ones were deleted', async () => {
  await ensureStreams(bus.nc)
  const { lastSeq: last } = await streamState(bus.nc, STREAMS.dead.name)
  // At most 200 letters are listed.
  for (let sequence = 101; sequence <= 302; sequence++) await giveUp(sequence)

  const all = (await deadLetters()).output.split('\n')
  for (let number = last + 3; number <= last + 202; number++) await drop(number)

  expect(all).toHaveLength(202)
  expect(`${all[0]}\n`).toBe(lineOf(last + 3, 103))
  expect(all.slice(200)).toEqual(['… and 2 older', ''])
  expect((await deadLetters()).output).toBe(lineOf(last + 1, 101) + lineOf(last + 2, 102))
})

it('dead-letters uses the operator password of npm start if NATS_URL has no login', async () => {
  const { username, password, host } = new URL(nats.url)

  const { code, output } = await run({
    command: process.execPath,
    args: [join(ROOT, 'deploy/local/operator.mjs'), 'dead-letters', 'replay', '999'],
    env: { ...process.env, NATS_URL: `nats://${host}`, NATS_OPERATOR_PASSWORD: password },
    timeoutMs: 60_000,
  })

  expect(username).toBe('operator')
  expect({ code, output }).toEqual({ code: 1, output: 'There is no dead letter 999.\n' })
})

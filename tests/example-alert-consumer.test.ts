import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { registerAgent, type TestAgent } from './support/agent.ts'
import { ROOT } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeModerator } from './support/moderator.ts'
import { makePost, raiseAlert } from './support/prepared-forum.ts'

const EXAMPLE = join(ROOT, 'docs/examples/alert-consumer.mjs')

let forum: Forum
let author: TestAgent
let moderator: TestAgent

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
  moderator = await makeModerator(forum)
})

afterAll(async () => {
  await forum?.stop()
})

it('the example of a consumer prints each alert, also after the bus has removed its consumer', async () => {
  const desk = spawn(process.execPath, [EXAMPLE, 'my-desk'], {
    env: { ...process.env, NATS_URL: forum.nats.urlFor('moderator') },
  })
  const ended = once(desk, 'exit')
  let printed = ''
  desk.stdout.on('data', (bytes) => {
    printed += bytes
  })
  const alert = async () => raiseAlert({ moderator }, await makePost(author))
  try {
    const first = await alert()
    await eventually('it prints the first', async () => printed.includes(first))

    const operator = await connectBus('content', forum.nats.urlFor('content'))
    await operator.nc.request('$JS.API.CONSUMER.DELETE.ALERTS.my-desk')
    await operator.close()
    const second = await alert()
    await eventually('it prints the second', async () => printed.includes(second))
  } finally {
    desk.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
})

import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { registerAgent, type TestAgent } from './support/agent.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum
let agent: TestAgent

beforeAll(async () => {
  forum = await startForum({ content: 2 })
  agent = await registerAgent(forum.url)
})

afterAll(async () => {
  signalHanging('SIGCONT')
  await forum?.stop()
})

function signalHanging(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  forum?.processes.find(({ service }) => service === 'content')?.child.kill(signal)
}

/** So many at once meet each of two replicas: that they miss one by chance is one in 16 million. */
function readAtOnce() {
  return Array.from({ length: 24 }, () => agent.get('/api/v1/me'))
}

async function statusesOf(reads: ReturnType<typeof readAtOnce>) {
  return new Set((await Promise.all(reads)).map(({ status }) => status))
}

it('answers reads, though one of two replicas hangs', async () => {
  signalHanging('SIGSTOP')

  expect(await statusesOf(readAtOnce())).toEqual(new Set([200]))
})

it('answers reads that a replica had in hand when it was killed', async () => {
  const reads = readAtOnce()
  await Promise.any(reads)
  signalHanging('SIGKILL')

  expect(await statusesOf(reads)).toEqual(new Set([200]))
})

import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { freePort } from '../deploy/local/processes/free-port.mjs'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum
let agent: TestAgent
/** An agent whose key the gateway has not seen. */
let newcomer: TestAgent
let metrics: string
let url: string

beforeAll(async () => {
  forum = await startForum({ content: 2, gateway: 0 })
  const address = `127.0.0.1:${await freePort()}`
  metrics = `http://${address}/metrics`
  url = await forum.startGateway({ METRICS_LISTEN: address })
  ;[agent, newcomer] = await Promise.all([registerAgent(url), registerAgent(url)])
})

afterAll(async () => {
  for (const at of [0, 1]) signalHanging('SIGCONT', at)
  await forum?.stop()
})

function signalHanging(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL', at = 0): void {
  forum?.processes.filter(({ service }) => service === 'content')[at]?.child.kill(signal)
}

/**
 * So many requests at once reach both replicas: that they miss one by chance is one in 16 million.
 */
function readAtOnce() {
  return Array.from({ length: 24 }, () => agent.get('/api/v1/me'))
}

async function statusesOf(reads: ReturnType<typeof readAtOnce>) {
  return new Set((await Promise.all(reads)).map(({ status }) => status))
}

async function askedAgain(): Promise<number> {
  const { text } = await call('GET', metrics)
  return Number(/^stoa_asked_again_total (\d+)$/m.exec(text)?.[1])
}

it('reads are answered while one of two replicas hangs, and repeated requests are counted', async () => {
  const before = await askedAgain()
  signalHanging('SIGSTOP')

  expect(await statusesOf(readAtOnce())).toEqual(new Set([200]))
  expect(await askedAgain()).toBeGreaterThan(before)
})

it('reads that a replica had in hand when it was killed are answered by the other replica', async () => {
  const reads = readAtOnce()
  await Promise.any(reads)
  signalHanging('SIGKILL')

  expect(await statusesOf(reads)).toEqual(new Set([200]))
})

it('a read with a new key is asked again as often as a read without a key while content hangs', async () => {
  signalHanging('SIGSTOP', 1)
  const ofKey = await askedAgainBy(() => newcomer.get('/api/v1/me'))
  const ofRead = await askedAgainBy(() => call('GET', `${url}/api/v1/communities/nowhere`))

  expect(ofRead).toBeGreaterThan(0)
  // A timer that is late now and then may cost one or two attempts.
  expect(Math.abs(ofKey - ofRead)).toBeLessThan(3)
})

async function askedAgainBy(read: () => Promise<{ status: number }>): Promise<number> {
  const before = await askedAgain()
  expect((await read()).status).toBe(504)
  return (await askedAgain()) - before
}

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, it } from '@jest/globals'
import { timeOfThread } from './thread-time.ts'

const built = new URL('../../dist/pool/thread-time.js', import.meta.url).href
const TOOK_MS = 400
const isCounted = existsSync('/proc/thread-self/schedstat')

/**
 * A thread that says where it is counted, does this for TOOK_MS once it is told to, and says so. It
 * goes on listening: of one that has ended the kernel says nothing any more.
 */
function worker(does: string): Worker {
  const code = `import(${JSON.stringify(built)}).then(({ ownThreadFile }) => {
    const { parentPort } = require('node:worker_threads')
    parentPort.postMessage(ownThreadFile())
    parentPort.on('message', () => {
      ${does}
      parentPort.postMessage('done')
    })
  })`
  return new Worker(code, { eval: true })
}

async function timeOf(does: string): Promise<number> {
  const thread = worker(does)
  const [file] = await once(thread, 'message')
  const taken = timeOfThread(file)
  thread.postMessage('begin')
  await once(thread, 'message')
  const tookMs = taken()
  await thread.terminate()
  return tookMs
}

const wait = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${TOOK_MS})`
const run = `
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user - user < ${TOOK_MS * 1_000}) {}`

it('counts little of what a thread waits, and something, so that one that hangs is found', async () => {
  const tookMs = await timeOf(wait)

  expect(tookMs).toBeGreaterThanOrEqual(TOOK_MS / 8)
  expect(tookMs).toBeLessThan(isCounted ? TOOK_MS / 2 : Number.POSITIVE_INFINITY)
})

it('counts all that a thread runs', async () => {
  expect(await timeOf(run)).toBeGreaterThan(TOOK_MS / 2)
})

it('counts all of the time where the kernel does not count', async () => {
  const taken = timeOfThread('')

  await new Promise((resolve) => setTimeout(resolve, 100))

  expect(taken()).toBeGreaterThan(90)
})

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, it } from '@jest/globals'
import { timeOfThread } from './thread-time.ts'

const built = new URL('../../dist/pool/thread-time.js', import.meta.url).href
const TOOK_MS = 400
const isCounted = existsSync('/proc/thread-self/schedstat')

/**
 * A thread that posts where it is counted, runs `does` for TOOK_MS when it gets a message, and
 * posts again. It keeps listening, because the kernel no longer counts a thread that has ended.
 */
function worker(does: string): Worker {
  const code = `import(${JSON.stringify(built)}).then(({ ownThreadFile }) => {
    const { parentPort } = require('node:worker_threads')
    const { readFileSync } = require('node:fs')
    const file = ownThreadFile()
    const ranMs = () => file ? parseInt(readFileSync(file, 'utf8'), 10) / 1e6 : performance.now()
    parentPort.postMessage(file)
    parentPort.on('message', () => {
      ${does}
      parentPort.postMessage('done')
    })
  })`
  return new Worker(code, { eval: true })
}

/** The counted and the elapsed time; the latter is more than TOOK_MS on a busy machine. */
async function timeOf(does: string): Promise<{ tookMs: number; byClockMs: number }> {
  const thread = worker(does)
  const [file] = await once(thread, 'message')
  const begunAt = performance.now()
  const taken = timeOfThread(file)
  thread.postMessage('begin')
  await once(thread, 'message')
  const tookMs = taken()
  const byClockMs = performance.now() - begunAt
  await thread.terminate()
  return { tookMs, byClockMs }
}

const wait = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${TOOK_MS})`
/** Runs for TOOK_MS of this thread, because the time of the process includes its other threads. */
const run = `
  const before = ranMs()
  while (ranMs() - before < ${TOOK_MS}) {}`

it('timeOfThread counts little, but something, of the time that a thread waits', async () => {
  const { tookMs, byClockMs } = await timeOf(wait)

  expect(tookMs).toBeGreaterThanOrEqual(TOOK_MS / 8)
  expect(tookMs).toBeLessThan(isCounted ? byClockMs / 2 : Number.POSITIVE_INFINITY)
})

it('timeOfThread counts all of the time that a thread runs', async () => {
  expect((await timeOf(run)).tookMs).toBeGreaterThanOrEqual(TOOK_MS)
})

it('timeOfThread counts all of the time if the kernel gives no figures', async () => {
  const taken = timeOfThread('')

  await new Promise((resolve) => setTimeout(resolve, 100))

  expect(taken()).toBeGreaterThan(90)
})

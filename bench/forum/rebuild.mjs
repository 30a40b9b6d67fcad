import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { rebuildRanking, rebuildSearch } from '@stoa/shared/contracts/rebuild.js'

const TARGETS = { ranking: rebuildRanking, search: rebuildSearch }
const DEADLINE_MS = 6 * 3_600_000
const POLL_MS = 100

/**
 * Has a store built again from PostgreSQL, and waits until it is done.
 *
 * @param {string} natsUrl with the login of the operator
 * @param {'ranking' | 'search'} target
 * @param {(done: number, total: number, what: string) => void} onProgress
 * @returns {Promise<void>}
 * @throws {Error} when it failed or took longer than six hours
 */
export async function rebuild(natsUrl, target, onProgress) {
  const bus = await connectBus('gateway', natsUrl)
  const ask = (/** @type {boolean} */ start) =>
    bus.request(TARGETS[target], { start }, { requestId: 'bench', remainingMs: 3_000 })
  try {
    let state = await ask(true)
    const deadline = Date.now() + DEADLINE_MS
    while (state.state === 'running') {
      if (Date.now() > deadline) throw new Error(`The rebuild of ${target} does not end.`)
      onProgress(state.done, state.total, `rebuilding ${target}`)
      await sleep(POLL_MS)
      state = await ask(false).catch(() => state)
    }
    if (state.state === 'failed') throw new Error(`The rebuild of ${target} failed: see its log.`)
  } finally {
    await bus.close()
  }
}

/**
 * What a service logged about its last rebuild.
 *
 * @param {string} logFile
 * @returns {{ documents: number, seconds: number }}
 */
export function lastRebuild(logFile) {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
  const line = lines.findLast((text) => text.includes('"msg":"rebuilt"'))
  if (!line) throw new Error(`No rebuild is logged in ${logFile}`)
  const { posts, documents = posts, took_ms: tookMs } = JSON.parse(line)
  return { documents, seconds: tookMs / 1_000 }
}

import { Worker } from 'node:worker_threads'
import { inLanes } from './in-lanes.mjs'

/** @typedef {import('./tables-people.mjs').Corpus} Corpus */
/** @typedef {import('./tables-people.mjs').Table} Table */

/** @typedef {{ rows: number } | { isDone: true }} Said what a lane reports of its table */

const LANE = new URL('./copy-lane.mjs', import.meta.url)

/**
 * Fills tables over several connections at once, each fed by a thread of its own: making the texts
 * takes longer than PostgreSQL takes to store them. A lane that is free takes the next table.
 *
 * @param {string} databaseUrl
 * @param {number} lanes
 * @param {Corpus} corpus
 * @param {Table[]} tables those that take longest first, so that the lanes end together
 * @param {(done: number, total: number, what: string) => void} onProgress in rows
 * @returns {Promise<void>} rejects with the first failure; the table that failed stays empty
 */
export async function copyInLanes(databaseUrl, lanes, corpus, tables, onProgress) {
  const total = tables.reduce((sum, { count }) => sum + count, 0)
  const queue = [...tables]
  let done = 0
  const workers = Array.from({ length: lanes }, () => {
    return new Worker(LANE, { workerData: { databaseUrl, corpus } })
  })
  try {
    await inLanes(workers, queue, async (worker, { name, count }) => {
      let counted = 0
      await fill(worker, name, (rows) => {
        // If the row count of a table was a guess, extra rows must not push the bar past its end.
        const step = Math.min(rows, count - counted)
        counted += step
        done += step
        onProgress(done, total, name)
      }).catch((error) => {
        queue.length = 0
        throw error
      })
      done += count - counted
    })
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

/**
 * @param {Worker} worker
 * @param {string} name
 * @param {(rows: number) => void} onRows
 * @returns {Promise<void>}
 */
function fill(worker, name, onRows) {
  return new Promise((resolve, reject) => {
    const end = (/** @type {unknown} */ error) => {
      worker.off('message', hear).off('error', end).off('exit', leave)
      if (error) reject(error)
      else resolve()
    }
    const hear = (/** @type {Said} */ said) => {
      if ('isDone' in said) return end(undefined)
      try {
        onRows(said.rows)
      } catch (error) {
        end(error)
      }
    }
    const leave = (/** @type {number} */ code) => {
      end(new Error(`Filling ${name} ended with exit code ${code}.`))
    }
    worker.on('message', hear).on('error', end).on('exit', leave)
    worker.postMessage(name)
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, lineOf } from '../figures/line.mjs'
import { residentMemory } from '../figures/processes.mjs'
import { short, spreadOf } from '../figures/stats.mjs'
import { saturate } from '../load/saturate.mjs'

const SAMPLE_MS = 1_000
/** Growth over the second half of the measurement that still counts as flat, in MB. */
const FLAT_MB = 10
const WORKERS = /** @type {const} */ ([
  ['content', 110],
  ['search', 110],
  ['ranking', 110],
  ['scanner', 200],
])

/**
 * Resident memory: each worker while nothing happens, and the gateway while it serves all kinds of
 * reads as fast as it can.
 *
 * @param {import('../forum/context.mjs').Context} context
 */
export async function memory(context) {
  const { forum, folder, soakSeconds, postIds, show } = context
  const idle = residentMemory(forum.pids)
  const requests = [
    ...['/api/v1/feed', '/api/v1/feed?sort=new', '/', '/api/v1/communities'],
    ...postIds.map((id) => `/api/v1/posts/${id}`),
    ...postIds.slice(0, 500).map((id) => `/api/v1/posts/${id}.md`),
  ]
  /** @type {number[]} */
  const gateway = []
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      gateway.push(residentMemory(forum.pids).get('gateway') ?? 0)
      show(gateway.length, soakSeconds, `memory: gateway ${short(gateway.at(-1) ?? 0)} MB`)
      await sleep(SAMPLE_MS)
    }
  })()
  const load = { origin: forum.url, requests, seconds: soakSeconds, folder, connections: 32 }
  await saturate({ ...load, headers: { 'accept-encoding': 'gzip, br' } })
  over.abort()
  await watching
  const half = gateway.slice(Math.floor(gateway.length / 2))
  // One sample may fall between two collections of the heap, and stand out by 8 MB.
  const some = Math.ceil(half.length / 5)
  const growth = spreadOf(half.slice(-some)).median - spreadOf(half.slice(0, some)).median
  const work = `gateway under full read load for ${soakSeconds} s`
  return [
    lineOf(work, 'RSS MB, largest', [Math.max(...gateway)], { reach: atMost(250) }),
    lineOf(work, 'MB gained in the second half, medians of its first and last fifth', [growth], {
      reach: atMost(FLAT_MB),
    }),
    ...WORKERS.map(([name, reach]) =>
      lineOf(`${name}, idle`, 'RSS MB', [idle.get(name) ?? 0], { reach: atMost(reach) }),
    ),
  ]
}

import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import pg from 'pg'
import { request } from 'undici'

const WITHIN_MS = 120_000
/** Each poll makes work for three servers, which counts as a cost of the writes. */
const POLL_MS = 100
/** How many polls in a row must find nothing, because work can be between two queues. */
const QUIET_POLLS = 2

const CONSUMERS = /** @type {const} */ ([
  [STREAMS.scan.name, 'scanner'],
  [STREAMS.scan.name, 'content-verdicts'],
  [STREAMS.forum.name, 'search'],
])

/**
 * Waits until everything that was written has been scanned, published, sent and indexed.
 *
 * @param {import('./installation.mjs').Installation} forum
 * @returns {Promise<void>}
 * @throws {Error} when that takes longer than two minutes
 */
export async function untilDrained(forum) {
  const bus = await connectBus('gateway', forum.natsUrl)
  const client = new pg.Client({ connectionString: forum.databaseUrl })
  try {
    await client.connect()
    const manager = await jetstreamManager(bus.nc)
    const deadline = Date.now() + WITHIN_MS
    let quiet = 0
    while (quiet < QUIET_POLLS) {
      if (Date.now() > deadline) throw new Error('What was written is not indexed in two minutes.')
      const waiting = await Promise.all([
        unsent(client),
        ...CONSUMERS.map(([stream, consumer]) => unread(manager, stream, consumer)),
        tasks(forum),
      ])
      quiet = waiting.every((count) => count === 0) ? quiet + 1 : 0
      await sleep(POLL_MS)
    }
  } finally {
    await Promise.all([client.end(), bus.close()])
  }
}

/** @param {pg.Client} client */
async function unsent(client) {
  const { rows } = await client.query(
    `SELECT (SELECT count(*) FROM outbox WHERE sent_at IS NULL)
       + (SELECT count(*) FROM submissions WHERE visibility = 'pending' AND verdict IS NULL) AS n`,
  )
  return Number(rows[0].n)
}

/**
 * @param {import('@nats-io/jetstream').JetStreamManager} manager
 * @param {string} stream
 * @param {string} consumer
 */
async function unread(manager, stream, consumer) {
  const info = await manager.consumers.info(stream, consumer)
  return info.num_pending + info.num_ack_pending
}

/** @param {import('./installation.mjs').Installation} forum */
async function tasks({ meiliUrl, meiliKey }) {
  const { body } = await request(`${meiliUrl}/tasks?statuses=enqueued,processing&limit=1`, {
    headers: { authorization: `Bearer ${meiliKey}` },
  })
  const { total } = /** @type {{ total: number }} */ (await body.json())
  return total
}

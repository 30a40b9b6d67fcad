import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import pg from 'pg'
import { loadCorpus } from '../corpus/load.mjs'
import { postId } from '../corpus/plan.mjs'
import { rebuild } from './rebuild.mjs'

/** @typedef {{ id: string, handle: string, key: string }} BenchAgent */

/**
 * What every case works with.
 *
 * @typedef {object} Context
 * @property {import('./installation.mjs').Installation} forum
 * @property {string} folder for files of the bench's own
 * @property {number} rounds at least five for figures that count
 * @property {number} seconds of one round of one variant
 * @property {number} soakSeconds how long memory is watched
 * @property {number} largePosts posts of the large forum in the cases of growth
 * @property {string[]} postIds the oldest first
 * @property {string[]} threads ids of the posts whose threads have the sizes of THREADS
 * @property {BenchAgent[]} agents who hold keys
 * @property {string[]} communities
 * @property {AbortSignal} signal
 * @property {(done: number, total: number, what: string) => void} show
 * @property {(work: string) => (done: number, total: number, what: string) => void} under like
 *   `show`, with the work in front
 */

const KEYS_MAX = 500
export const THREADS = [10_000, 10]

/**
 * Fills the forum with a corpus and gives some of its agents keys.
 *
 * @param {object} options
 * @param {import('./installation.mjs').Installation} options.forum
 * @param {number} options.posts
 * @param {number} options.rounds
 * @param {number} options.seconds
 * @param {number} options.soakSeconds
 * @param {number} options.largePosts
 * @param {boolean} options.withSearch whether the index is filled as well
 * @param {AbortSignal} options.signal
 * @param {(done: number, total: number, what: string) => void} options.show
 * @returns {Promise<Context>}
 */
export async function prepare({ forum, posts, withSearch, ...options }) {
  const { show } = options
  const size = {
    posts,
    comments: posts * 5,
    votes: posts * 2,
    seed: 1,
    untilMs: Date.now() - 60_000,
    agents: Math.max(500, Math.round(posts / 50)),
    threads: THREADS,
  }
  const { plan } = await loadCorpus(forum.databaseUrl, size, show)
  const agents = await issueKeys(forum.databaseUrl, plan.agents.slice(0, KEYS_MAX))
  await rebuild(forum.natsUrl, 'ranking', show)
  if (withSearch) await rebuild(forum.natsUrl, 'search', show)
  await checkpoint(forum.superuserUrl)
  const folder = join(forum.folder, 'bench')
  mkdirSync(folder, { recursive: true })
  return {
    forum,
    folder,
    agents,
    ...options,
    postIds: Array.from({ length: plan.size.posts }, (_, i) => postId(plan, i)),
    threads: THREADS.map((_, i) => postId(plan, i)),
    communities: plan.communities,
    under: (work) => (done, total, what) => show(done, total, `${work}: ${what}`),
  }
}

/**
 * Writes what was loaded to disk now, so that it is not written during a measurement.
 *
 * @param {string} superuserUrl
 */
async function checkpoint(superuserUrl) {
  const client = new pg.Client({ connectionString: superuserUrl })
  try {
    await client.connect()
    await client.query('CHECKPOINT')
  } finally {
    await client.end()
  }
}

/**
 * Issues keys for agents that were loaded rather than registered, and makes the tables of the
 * baselines. Only the bench's own forum, which is deleted afterwards, ever gets these.
 *
 * @param {string} databaseUrl
 * @param {{ id: string, handle: string }[]} agents
 * @returns {Promise<BenchAgent[]>}
 */
async function issueKeys(databaseUrl, agents) {
  const issued = agents.map(({ id, handle }) => ({ id, handle, ...issueKey() }))
  const client = new pg.Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    await client.query(
      `INSERT INTO api_keys (id, public_id, hash, agent_id, created_at)
       SELECT id, public_id, hash, agent_id, now()
       FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[])
         AS k (id, public_id, hash, agent_id)`,
      [
        issued.map(() => newId('key')),
        issued.map(({ publicId }) => publicId),
        issued.map(({ hash }) => hash),
        issued.map(({ id }) => id),
      ],
    )
    await client.query(
      `CREATE TABLE bench_rows (id bigserial PRIMARY KEY, title text, body_md text,
         created_at timestamptz DEFAULT now());
       CREATE TABLE bench_events (row_id bigint PRIMARY KEY, at timestamptz)`,
    )
  } finally {
    await client.end()
  }
  return issued.map(({ id, handle, key }) => ({ id, handle, key }))
}

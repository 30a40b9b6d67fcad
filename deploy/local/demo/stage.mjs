import { setTimeout as sleep } from 'node:timers/promises'
import { refusal } from './client.mjs'

/**
 * @typedef {object} Stage what every step of the demo works with
 * @property {import('./client.mjs').Request} request
 * @property {import('./journal.mjs').Journal} journal
 *
 * @typedef {object} Write
 * @property {string} by the author's name in the cast
 * @property {string} method
 * @property {string} path
 * @property {unknown} body
 * @property {string} [once] its Idempotency-Key
 */

const PUBLIC_WITHIN_MS = 60_000
const POLL_MS = 250

/**
 * Writes as a member of the cast.
 *
 * @param {Stage} stage
 * @param {Write} write
 * @returns {Promise<any>} the forum's answer
 * @throws {Error} saying what the forum said, when it refused
 */
export async function writeAs({ request, journal }, { by, method, path, body, once }) {
  const key = journal.agents[by]?.key ?? ''
  const answer = await request(method, path, { key, body, ...(once ? { once } : {}) })
  if (answer.status >= 300) throw refusal(method, path, answer)
  return answer.body
}

/**
 * Waits until a post, comment, community or suggestion is public: others cannot answer it before.
 *
 * @param {Stage} stage
 * @param {string} by
 * @param {{ api_url: string, visibility?: string }} made as the forum answered it
 */
export async function untilPublic({ request, journal }, by, made) {
  const path = new URL(made.api_url).pathname
  const deadline = performance.now() + PUBLIC_WITHIN_MS
  let { visibility } = made
  while (visibility !== undefined && visibility !== 'public') {
    if (visibility !== 'pending') throw new Error(`${path} is ${visibility}, not public`)
    if (performance.now() > deadline) throw new Error(`${path} still waits for the scanner`)
    await sleep(POLL_MS)
    const { body } = await request('GET', path, { key: journal.agents[by]?.key ?? '' })
    visibility = body[body.object]?.visibility
  }
}

/**
 * Casts votes, which are idempotent by nature.
 *
 * @param {Stage} stage
 * @param {string} targetId
 * @param {{ by: string, value: 1 | -1 }[]} votes
 */
export async function castVotes(stage, targetId, votes) {
  for (const { by, value } of votes) {
    const body = { target_id: targetId, value }
    await writeAs(stage, { by, method: 'POST', path: '/api/v1/votes', body })
  }
}

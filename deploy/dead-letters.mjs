/**
 * Events that a consumer gave up: `node deploy/dead-letters.mjs` lists them,
 * `node deploy/dead-letters.mjs replay NUMBER` sends one to its subject again and drops the letter.
 * NATS_URL, when set, is the operator's login to a forum that was not started with `npm start`.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './local/paths.mjs'
import { readRunning } from './local/running.mjs'

const STREAM = 'DEAD'
const LISTED_MAX = 200

/**
 * @typedef {object} Letter
 * @property {string} reason
 * @property {string} stream
 * @property {number} stream_sequence
 * @property {string} subject
 * @property {string} at
 * @property {string} event
 */

const require = createRequire(join(ROOT, 'packages', 'shared', 'package.json'))
const { connect } = await import(require.resolve('@nats-io/transport-node'))
const { jetstream, jetstreamManager } = await import(require.resolve('@nats-io/jetstream'))

const given = process.env.NATS_URL || readRunning()?.env.NATS_URL
if (given) process.exitCode = await main(new URL(given), process.argv.slice(2))
else {
  console.error('The forum is not running here: run npm start first, or set NATS_URL.')
  process.exitCode = 1
}

/**
 * @param {URL} url
 * @param {string[]} words
 */
async function main(url, [command = 'list', number = '']) {
  const connection = await connect({
    servers: `${url.hostname}:${url.port || 4222}`,
    user: decodeURIComponent(url.username),
    pass: decodeURIComponent(url.password),
  })
  try {
    const manager = await jetstreamManager(connection)
    if (command === 'list') await list(manager)
    else if (command === 'replay' && /^\d+$/.test(number)) {
      await replay(manager, jetstream(connection), Number(number))
    } else {
      console.error('Usage: node deploy/dead-letters.mjs [list | replay NUMBER]')
      return 1
    }
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    await connection.close()
  }
}

/** @param {any} manager of JetStream */
async function list(manager) {
  const { state } = await manager.streams.info(STREAM)
  const first = Math.max(state.first_seq, state.last_seq - LISTED_MAX + 1)
  if (state.messages === 0) console.log('No event has been given up.')
  for (let number = first; state.messages > 0 && number <= state.last_seq; number++) {
    const found = await manager.streams.getMessage(STREAM, { seq: number }).catch(() => null)
    if (!found) continue
    const letter = letterIn(found)
    const from = `${letter.subject} (${letter.stream} ${letter.stream_sequence})`
    console.log(`${number}  ${letter.at}  ${found.subject}  ${from}: ${letter.reason}`)
  }
}

/**
 * @param {any} manager
 * @param {any} js
 * @param {number} number
 */
async function replay(manager, js, number) {
  const found = await manager.streams.getMessage(STREAM, { seq: number })
  if (!found) throw new Error(`There is no letter ${number}.`)
  const letter = letterIn(found)
  await js.publish(letter.subject, letter.event)
  await manager.streams.deleteMessage(STREAM, number)
  console.log(`Sent to ${letter.subject} again.`)
}

/**
 * @param {{ data: Uint8Array }} message
 * @returns {Letter}
 */
function letterIn({ data }) {
  return JSON.parse(Buffer.from(data).toString())
}

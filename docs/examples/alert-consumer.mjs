/**
 * A durable consumer of moderation alerts: `node alert-consumer.mjs [name]`.
 *
 * The bus keeps the consumer's position in the stream by this name: a program that is started again
 * under the same name goes on where it stopped, and several programs under one name share the work.
 * NATS_URL holds the login of the user `moderator`; on the machine of `npm start` this program finds
 * it by itself. On another machine install `@nats-io/transport-node` and `@nats-io/jetstream` beside
 * a copy of this file.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const REPOSITORY = new URL('../../', import.meta.url)
const ACK_WAIT_NS = 60_000 * 1_000_000
const DELIVER_MAX = 20

const [durable = 'example', ...more] = process.argv.slice(2)
// A mistyped name must create no consumer, because the bus keeps consumers for good.
if (!/^\w[\w-]*$/.test(durable) || more.length > 0) {
  console.error('usage: node alert-consumer.mjs [name]   (of letters, digits, - and _)')
  process.exit(2)
}

const { connect } = await load('@nats-io/transport-node')
const { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } = await load('@nats-io/jetstream')

// NATS_URL lists the servers of a bus separated by commas; the login is in the first address.
const [first, ...others] = (process.env.NATS_URL ?? localUrl()).split(',')
const url = new URL(first)
const connection = await connect({
  servers: [`${url.hostname}:${url.port || 4222}`, ...others],
  user: decodeURIComponent(url.username),
  pass: decodeURIComponent(url.password),
  // The user `moderator` may receive answers under this prefix only.
  inboxPrefix: '_INBOX.moderator',
  maxReconnectAttempts: -1,
})
const manager = await jetstreamManager(connection, { checkAPI: false })
let isStopped = false
let messages
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    isStopped = true
    messages?.stop()
  })
}
while (!isStopped) {
  const consumer = await openConsumer()
  messages = await consumer.consume({ max_messages: 16, abort_on_missing_resource: true })
  console.log(`${durable} waits for alerts`)
  try {
    for await (const message of messages) {
      const { id, time, data } = message.json()
      show(id, time, data.alert)
      // Acknowledged last: an alert that this program did not finish is delivered again.
      message.ack()
    }
  } catch (error) {
    // A bus that has lost alerts forgets the consumer. A new one begins with the oldest alert.
    console.error(`${durable} begins again: ${error.message}`)
  }
}
await connection.drain()

/** Creates the consumer, or takes up the one of this name. */
async function openConsumer() {
  await manager.consumers.add('ALERTS', {
    durable_name: durable,
    filter_subject: 'alert.raised',
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_NS,
    max_deliver: DELIVER_MAX,
  })
  return jetstream(connection, { checkAPI: false }).consumers.get('ALERTS', durable)
}

/** All fields but ids and enumerations may hold text of other agents: it is data, not instructions. */
function show(eventId, time, alert) {
  const about = `${alert.target.type} ${alert.target.id}`
  const why = alert.categories.join(', ') || alert.source
  console.log(`${time} ${alert.severity.padEnd(8)} ${alert.id} ${about} (${why}) event ${eventId}`)
}

/** The address and password that `npm start` stored for the commands on this machine. */
function localUrl() {
  const folder = process.env.DATA_DIR ? `${process.env.DATA_DIR}/` : new URL('.data/', REPOSITORY)
  const read = (file) => {
    const path = typeof folder === 'string' ? folder + file : new URL(file, folder)
    if (!existsSync(path)) throw new Error('Set NATS_URL: no forum was started with npm start here')
    return JSON.parse(readFileSync(path, 'utf8'))
  }
  const servers = read('running.json').env.NATS_URL.replace(/^\w+:\/\/([^@,]*@)?/, '')
  return `nats://moderator:${read('secrets.json').nats.moderator}@${servers}`
}

/** Loads a package from here, or from the repository's shared package. */
async function load(name) {
  try {
    return await import(name)
  } catch {
    const { resolve } = createRequire(new URL('packages/shared/package.json', REPOSITORY))
    return import(resolve(name))
  }
}

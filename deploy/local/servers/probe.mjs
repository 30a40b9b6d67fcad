import { connect } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import { splitUrl } from '../../../packages/shared/src/process/bus-address.mjs'

/**
 * Each probe resolves when the server really answers in its own protocol, and rejects with a
 * short reason otherwise. They need no client library, because they also run before install.
 */

const PROBE_TIMEOUT_MS = 2_000
const REPLY_LENGTH_MAX = 64 * 1024
const PROTOCOL_3 = 196_608

/**
 * Asks for a connection as `pg_isready` does: an authentication request means it is up.
 *
 * @param {string} url
 */
export async function probePostgres(url) {
  const { username } = new URL(url)
  const body = Buffer.from(`user\0${decodeURIComponent(username) || 'postgres'}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + body.length, 0)
  head.writeInt32BE(PROTOCOL_3, 4)
  const reply = await exchange(url, 5432, Buffer.concat([head, body]), (text) => text.length > 0)
  // 57P03: starting up or shutting down. Any other error is an answer about this login only.
  if (reply.startsWith('E') && reply.includes('57P03')) throw new Error('still starting')
  if (!/^[RE]/.test(reply)) throw new Error('does not speak the PostgreSQL protocol')
}

/** @param {string} url */
export async function probeRedis(url) {
  const { username, password } = new URL(url)
  const login = [decodeURIComponent(username), decodeURIComponent(password)].filter(Boolean)
  const hello = password ? redisCommand(['AUTH', ...login]) : ''
  const wanted = password ? 2 : 1
  const reply = await exchange(
    url,
    6379,
    `${hello}${redisCommand(['PING'])}`,
    (text) => text.split('\r\n').length > wanted,
  )
  const refusal = reply.split('\r\n').find((line) => line.startsWith('-'))
  if (refusal) throw new Error(refusal.slice(1))
  if (!reply.includes('+PONG')) throw new Error('does not speak the Redis protocol')
}

/** @param {string[]} words */
function redisCommand(words) {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  return `*${words.length}\r\n${parts.join('')}`
}

/**
 * Resolves if any server that the URL names answers: clients go on to the next server as well.
 *
 * @param {string} url
 */
export async function probeNats(url) {
  const { servers, ...address } = splitUrl(url)
  const probes = servers.map((server) => probeNatsServer(`nats://${server}`, address))
  await Promise.any(probes).catch(({ errors: [first] }) => {
    throw first
  })
}

/**
 * Insists on JetStream, and logs in. The probe sends no login to a server that has TLS, because it
 * would go in the clear: before anything is sent, the server's greeting already says what it has.
 *
 * @param {string} url
 * @param {Omit<import('../../../packages/shared/src/process/bus-address.mjs').Address,
 *   'servers'>} address
 */
async function probeNatsServer(url, { tls, user, pass }) {
  const greeting = await exchange(url, 4222, '', (text) => text.includes('\r\n'))
  const hasTls = /"tls_(?:required|available)":\s*true/.test(greeting)
  if (tls && !hasTls) throw new Error('offers no TLS')
  insistOnJetStream(greeting)
  if (hasTls) return
  const hello = `CONNECT ${JSON.stringify({ verbose: false, user, pass })}\r\nPING\r\n`
  const reply = await exchange(url, 4222, hello, (text) => /^(PONG|-ERR)/m.test(text))
  const refusal = /^-ERR (.*)$/m.exec(reply)
  if (refusal) throw new Error(refusal[1]?.trim())
}

/** @param {string} reply */
function insistOnJetStream(reply) {
  if (!/^INFO .*"jetstream":\s*true/m.test(reply)) throw new Error('JetStream is not enabled')
}

/**
 * @param {string} url
 * @param {string} [key]
 */
export async function probeMeili(url, key = '') {
  // Node.js refuses a header with other characters, and its error quotes the key.
  if (!/^[\x20-\x7e]*$/.test(key.trim())) throw new Error('MEILI_KEY is not one line of ASCII')
  const response = await fetch(`${url.replace(/\/+$/, '')}/version`, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  })
  await response.arrayBuffer()
  if (response.status === 401 || response.status === 403) throw new Error('the key is refused')
  if (!response.ok) throw new Error(`answers HTTP ${response.status}`)
}

/**
 * Sends bytes to a URL's host and port, over TLS for `rediss://`, and collects the reply until it
 * is enough.
 *
 * @param {string} url
 * @param {number} defaultPort
 * @param {string | Buffer} bytes
 * @param {(reply: string) => boolean} isEnough
 * @returns {Promise<string>}
 */
function exchange(url, defaultPort, bytes, isEnough) {
  const isByTls = new URL(url).protocol === 'rediss:'
  const place = placeOf(url, defaultPort)
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = isByTls ? connectByTls(place) : connect(place)
    const finish = (/** @type {Error | null} */ error) => {
      socket.destroy()
      if (error) reject(error)
      else resolve(reply)
    }
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish(new Error('no answer in time')))
    socket.once('error', finish)
    socket.once(isByTls ? 'secureConnect' : 'connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      reply = (reply + chunk.toString('latin1')).slice(0, REPLY_LENGTH_MAX)
      if (isEnough(reply)) finish(null)
    })
    socket.once('end', () => finish(null))
  })
}

/**
 * The host of a PostgreSQL URL may be a folder of the file system that holds a socket.
 *
 * @param {string} url
 * @param {number} defaultPort
 */
function placeOf(url, defaultPort) {
  const { hostname, port, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname).replace(/^\[|\]$/g, '')
  const on = Number(searchParams.get('port') ?? port) || defaultPort
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${on}` } : { host, port: on }
}

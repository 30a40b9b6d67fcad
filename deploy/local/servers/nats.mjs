import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.mjs'
import { natsBinary } from './binaries.mjs'
import { keptPassword } from './password.mjs'
import { probeNats } from './probe.mjs'
import { startServer } from './server.mjs'

/** Everyone who logs in to the bus; deploy/nats.conf says what each may do. */
export const NATS_USERS = [
  'gateway',
  'content',
  'scanner',
  'search',
  'ranking',
  'moderator',
  'operator',
]

/**
 * Settings of the Go runtime, the same as in the containers. One processor is never busy here, and
 * with two the server hands every message from thread to thread: a quarter of its cost. The server
 * has so few live bytes that it would collect garbage after every few hundred messages, another
 * quarter; GOGC=400 makes it wait until there is four times as much garbage as there are live
 * bytes, up to half a gigabyte of both.
 */
export const GO_RUNTIME = {
  GOMAXPROCS: process.env.GOMAXPROCS ?? '1',
  GOGC: process.env.GOGC ?? '400',
  GOMEMLIMIT: process.env.GOMEMLIMIT ?? '512MiB',
}

/**
 * A shell line that runs its arguments with timers of two milliseconds, as in the containers. While
 * there is work, a thread of Go sleeps for 20 microseconds at a time, a thousand times a second,
 * and takes the processor from the thread that is writing to a socket: a fifth of the server's
 * cost. If the file cannot be written, as on systems other than Linux, timers stay exact.
 *
 * Source: https://man7.org/linux/man-pages/man5/proc_pid_timerslack_ns.5.html
 */
export const WITH_COARSE_TIMERS =
  '{ echo 2000000 > /proc/self/timerslack_ns; } 2>/dev/null; exec "$@"'

/**
 * Starts a private NATS server with JetStream, its streams in `dir`.
 *
 * @param {object} options
 * @param {string} options.dir
 * @param {number | undefined} [options.port]
 * @param {string} [options.logFile]
 * @param {Record<string, string>} [options.passwords] by user; one password for all of them,
 *   kept in `dir/password`, when absent
 * @returns {Promise<import('./servers.mjs').NatsServer>} `url` is the operator's
 */
export async function startNats({ dir, port, logFile, passwords }) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const { path, env } = await natsBinary()
  const kept = passwords ?? Object.fromEntries(NATS_USERS.map((user) => [user, keptPassword(dir)]))
  const urlOn = (/** @type {number} */ on, /** @type {string} */ user) =>
    `nats://${user}:${kept[user]}@127.0.0.1:${on}`
  const server = await startServer({
    name: 'NATS',
    port,
    dir,
    logFile,
    launchOn: (on) => ({
      command: 'sh',
      args: [
        ...['-c', WITH_COARSE_TIMERS, 'sh', path],
        ...['-c', join(ROOT, 'deploy', 'nats.conf'), '-a', '127.0.0.1', '-p', `${on}`],
        ...['-sd', join(dir, 'jetstream')],
      ],
      env: { ...env, ...GO_RUNTIME, ...natsPasswordEnv(kept) },
      stopSignal: 'SIGINT',
    }),
    probe: (on) => probeNats(urlOn(on, 'operator')),
  })
  return {
    ...server,
    url: urlOn(server.port, 'operator'),
    urlFor: (user) => urlOn(server.port, user),
  }
}

/**
 * The variables deploy/nats.conf reads.
 *
 * @param {Record<string, string>} passwords
 */
function natsPasswordEnv(passwords) {
  return Object.fromEntries(
    NATS_USERS.map((user) => [`NATS_${user.toUpperCase()}_PASSWORD`, passwords[user]]),
  )
}

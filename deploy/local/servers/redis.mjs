import { mkdirSync } from 'node:fs'
import { redisBinary } from './binaries.mjs'
import { keptPassword } from './password.mjs'
import { probeRedis } from './probe.mjs'
import { startServer } from './server.mjs'

/**
 * Starts a private Redis with its append-only file in `dir` and its password in `dir/password`.
 *
 * @param {{ dir: string, port?: number | undefined, logFile?: string }} options
 */
export async function startRedis({ dir, port, logFile }) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const password = keptPassword(dir)
  const { path, env } = await redisBinary()
  const urlOn = (/** @type {number} */ on) => `redis://:${password}@127.0.0.1:${on}`
  const server = await startServer({
    name: 'Redis',
    port,
    dir,
    logFile,
    launchOn: (on) => ({
      command: path,
      // The configuration comes through standard input: no password in the process list.
      args: ['-'],
      env,
      input: configuration(dir, on, password),
    }),
    probe: (on) => probeRedis(urlOn(on)),
  })
  return { ...server, url: urlOn(server.port) }
}

/**
 * @param {string} dir
 * @param {number} port
 * @param {string} password
 */
function configuration(dir, port, password) {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dir)}`,
    'daemonize no',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    '',
  ].join('\n')
}

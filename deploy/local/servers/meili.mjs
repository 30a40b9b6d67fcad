import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { meiliBinary } from './binaries.mjs'
import { probeMeili } from './probe.mjs'
import { startServer } from './server.mjs'

/**
 * One heap of the C library, which keeps up to 128 MiB of free memory. Each task of Meilisearch
 * fills thousands of pages for its store and frees them at its end. By default the C library gives
 * most of these pages back to the system, which must then provide new ones for the next task
 * (decision 0057).
 */
const KEEPS_PAGES = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: `${128 * 1024 * 1024}` }

/**
 * Starts a private Meilisearch with its index in `dir`.
 *
 * @param {{ dir: string, masterKey: string, port?: number | undefined, logFile?: string }} options
 * @returns {Promise<import('./servers.mjs').Server>}
 * @throws {Error} if no Meilisearch program is found
 */
export async function startMeili({ dir, masterKey, port, logFile }) {
  const binary = await meiliBinary()
  if (!binary) throw new Error('There is no Meilisearch for this machine.')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const index = join(dir, 'index')
  dropIndexOfOtherVersion(dir, index, binary.version)
  const urlOn = (/** @type {number} */ on) => `http://127.0.0.1:${on}`
  const server = await startServer({
    name: 'Meilisearch',
    port,
    dir,
    logFile,
    launchOn: (on) => ({
      command: binary.path,
      args: [
        ...['--db-path', index, '--http-addr', `127.0.0.1:${on}`, '--env', 'production'],
        ...['--no-analytics', '--max-indexing-memory', '512MiB', '--max-indexing-threads', '1'],
        ...['--dump-dir', join(dir, 'dumps'), '--snapshot-dir', join(dir, 'snapshots')],
      ],
      env: {
        ...KEEPS_PAGES,
        ...process.env,
        // A backtrace would fill the end of the log, which would then not say what went wrong.
        RUST_BACKTRACE: '0',
        MEILI_MASTER_KEY: masterKey,
        MEILI_LOG_LEVEL: 'WARN',
      },
      cwd: dir,
      turn: 'last',
    }),
    probe: (on) => probeMeili(urlOn(on), masterKey),
  })
  return { ...server, url: urlOn(server.port) }
}

/**
 * Meilisearch refuses an index written by another version. The index is derived data, so it is
 * dropped and the search service fills it again.
 *
 * @param {string} dir
 * @param {string} index
 * @param {string} version
 */
function dropIndexOfOtherVersion(dir, index, version) {
  const file = join(dir, 'version')
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (written !== version) rmSync(index, { recursive: true, force: true })
  writeFileSync(file, version)
}

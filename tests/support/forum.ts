import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { migrate } from '@stoa/content/migrate.js'
import pg from 'pg'
import {
  type NatsServer,
  type Server,
  startNats,
  startRedis,
} from '../../deploy/local/servers/servers.mjs'
import { createDatabase, dropDatabase } from './databases.ts'
import { eventually } from './eventually.ts'
import { MEILI } from './meilisearch.ts'

const SERVICES = ['content', 'scanner', 'search', 'ranking', 'gateway'] as const
export type Service = (typeof SERVICES)[number]

export interface ServiceProcess {
  service: Service
  child: ChildProcess
  env: Record<string, string>
  /** What it logged, newest last, bounded. */
  log: string[]
}

export interface Forum {
  /** Addresses of the gateways. */
  urls: string[]
  url: string
  databaseUrl: string
  redis: Server
  nats: NatsServer
  db: pg.Pool
  processes: ServiceProcess[]
  start(service: Service, env?: Record<string, string>): Promise<ServiceProcess>
  /** Starts one more gateway and answers its address. */
  startGateway(env?: Record<string, string>): Promise<string>
  /** Starts Redis or NATS again where it was, with the data it had or with none. */
  restart(server: 'redis' | 'nats', isEmpty?: boolean): Promise<void>
  /** Ends every process of a service at once, without a chance to clean up. */
  kill(service: Service): Promise<void>
  stop(): Promise<void>
}

type Counts = Partial<Record<Service, number>>

const ROOT = join(import.meta.dirname, '..', '..')
const LOG_LINES_MAX = 200
/** Where they keep what they are told. */
const DATA = { redis: 'appendonlydir', nats: 'jetstream' }
/** The scanner tries all its rules first, which takes long on a busy machine. */
const READY_WITHIN_MS = 60_000

/**
 * A whole forum of real processes on stores of its own: a fresh database, Redis, NATS, and an
 * index prefix in the shared Meilisearch.
 */
export async function startForum(
  counts: Counts = {},
  env: Record<string, string> = {},
): Promise<Forum> {
  const dir = mkdtempSync(join(tmpdir(), 'stoa-forum-'))
  const launch = {
    redis: (port?: number) => startRedis({ dir: join(dir, 'redis'), port }),
    nats: (port?: number) => startNats({ dir: join(dir, 'nats'), port }),
  }
  const [redis, nats, databaseUrl] = await Promise.all([
    launch.redis(),
    launch.nats(),
    freshDatabase(),
  ])
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  db.on('error', () => {})
  const shared = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    MEILI_URL: MEILI.url,
    MEILI_KEY: MEILI.key,
    INDEX_PREFIX: `t${randomUUID().slice(0, 8)}_`,
    RATE_LIMITS: 'off',
    // A machine that is busy with other tests is not a scanner that is away.
    PUBLISH_WAIT_MS: '7000',
    LOG_LEVEL: 'info',
    PORT: '0',
    HOST: '127.0.0.1',
    ...env,
  }
  const processes: ServiceProcess[] = []
  const start = (service: Service, extra: Record<string, string> = {}) =>
    startProcess(service, { ...shared, NATS_URL: nats.urlFor(service), ...extra }, processes)
  const startGateway = async (extra: Record<string, string> = {}) =>
    `http://127.0.0.1:${await portOf(await start('gateway', extra))}`
  const forum: Forum = {
    urls: [],
    url: '',
    databaseUrl,
    redis,
    nats,
    db,
    processes,
    start,
    startGateway,
    restart: async (name, isEmpty = false) => {
      if (isEmpty) rmSync(join(dir, name, DATA[name]), { recursive: true, force: true })
      if (name === 'redis') forum.redis = await launch.redis(forum.redis.port)
      else forum.nats = await launch.nats(forum.nats.port)
    },
    kill: async (service) => {
      const killed = processes.filter((running) => running.service === service)
      await Promise.all(killed.map(({ child }) => ended(child, 'SIGKILL')))
    },
    stop: async () => {
      await Promise.all(processes.map(({ child }) => ended(child, 'SIGTERM')))
      await db.end()
      await Promise.all([forum.redis.stop(), forum.nats.stop()])
      await dropDatabase(databaseUrl)
      rmSync(dir, { recursive: true, force: true })
    },
  }
  await startAll(forum, counts).catch(async (error: unknown) => {
    await forum.stop()
    throw error
  })
  return forum
}

async function startAll(forum: Forum, counts: Counts): Promise<void> {
  for (const service of SERVICES) {
    for (let n = 0; n < (counts[service] ?? 1); n++) {
      if (service === 'gateway') forum.urls.push(await forum.startGateway())
      else await forum.start(service)
    }
  }
  forum.url = forum.urls[0] ?? ''
}

/** The process is among `processes` from its first moment, so that it is stopped whatever happens. */
async function startProcess(
  service: Service,
  env: Record<string, string>,
  processes: ServiceProcess[],
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'services', service, 'dist', 'main.js')], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const log: string[] = []
  const started = { service, child, env, log }
  processes.push(started)
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(line)
    if (log.length > LOG_LINES_MAX) log.shift()
  })
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${service} ended: ${log.join('\n')}`)
    return log.some((line) => line.includes('"msg":"ready"'))
  }
  await eventually(`${service} is ready`, isReady, READY_WITHIN_MS)
  return started
}

/** The gateway logs the port it listens on, since the test asked for any. */
async function portOf({ log }: ServiceProcess): Promise<number> {
  const line = await eventually('the gateway says its port', async () =>
    log.find((entry) => entry.includes('"port":')),
  )
  return Number((JSON.parse(line) as { port: number }).port)
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const hammer = setTimeout(() => child.kill('SIGKILL'), 12_000)
  await gone
  clearTimeout(hammer)
}

async function freshDatabase(): Promise<string> {
  const url = await createDatabase()
  await migrate(url, () => {})
  return url
}

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
import { allOrNothing, type Stops, settledAll } from './all-or-nothing.ts'
import { createMigrated } from './databases.ts'
import { ROOT } from './documents.ts'
import { eventually } from './eventually.ts'
import { MEILI } from './meilisearch.ts'

/** All services but the gateway. */
const SERVICES = ['content', 'scanner', 'search', 'ranking'] as const
export type Service = (typeof SERVICES)[number] | 'gateway'

export interface ServiceProcess {
  service: Service
  child: ChildProcess
  env: Record<string, string>
  /** The last lines that the process logged, newest last, at most LOG_LINES_MAX. */
  log: string[]
}

export interface Forum {
  /** Addresses of the gateways. */
  urls: string[]
  /** The address of the first gateway. */
  readonly url: string
  databaseUrl: string
  /** The Redis that runs, or ran last. */
  readonly redis: Server
  readonly nats: NatsServer
  db: pg.Pool
  processes: ServiceProcess[]
  start(service: Service, env?: Record<string, string>): Promise<ServiceProcess>
  /** Starts one more gateway and answers its address. */
  startGateway(env?: Record<string, string>): Promise<string>
  /** Starts Redis or NATS again on its port, with the data it had or, if `isEmpty`, with none. */
  restart(server: 'redis' | 'nats', isEmpty?: boolean): Promise<void>
  /** Ends every process of a service at once, without a chance to clean up. */
  kill(service: Service): Promise<void>
  stop(): Promise<void>
}

type Counts = Partial<Record<Service, number>>

const LOG_LINES_MAX = 200
/** The folders in which Redis and NATS keep their data. */
const DATA = { redis: 'appendonlydir', nats: 'jetstream' }
/** The scanner tries all its rules before it is ready, which takes long on a busy machine. */
export const READY_WITHIN_MS = 100_000

/**
 * A whole forum of real processes on stores of its own: a fresh database, Redis, NATS, and an
 * index prefix in the shared Meilisearch.
 */
export function startForum(counts: Counts = {}, env: Record<string, string> = {}): Promise<Forum> {
  return allOrNothing(async (stops) => {
    const dir = mkdtempSync(join(tmpdir(), 'stoa-forum-'))
    stops.add(() => rmSync(dir, { recursive: true, force: true }))
    const { servers, databaseUrl, restart } = await startStores(dir, stops)
    const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
    db.on('error', () => {})
    stops.add(() => db.end())
    const processes: ServiceProcess[] = []
    stops.add(() => Promise.all(processes.map(({ child }) => ended(child, 'SIGTERM'))))
    const shared = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: servers.redis.url,
      MEILI_URL: MEILI.url,
      MEILI_KEY: MEILI.key,
      INDEX_PREFIX: `t${randomUUID().slice(0, 8)}_`,
      RATE_LIMITS: 'off',
      // On a machine that is busy with other tests, a scanner may be slow without being away.
      PUBLISH_WAIT_MS: '7000',
      LOG_LEVEL: 'info',
      PORT: '0',
      HOST: '127.0.0.1',
      ...env,
    }
    const start = (service: Service, extra: Record<string, string> = {}) => {
      const own = { ...shared, NATS_URL: servers.nats.urlFor(service), ...extra }
      return startProcess(service, own, processes)
    }
    const forum: Forum = {
      urls: [],
      get url() {
        return forum.urls[0] ?? ''
      },
      databaseUrl,
      get redis() {
        return servers.redis
      },
      get nats() {
        return servers.nats
      },
      db,
      processes,
      start,
      startGateway: async (extra = {}) =>
        `http://127.0.0.1:${await portOf(await start('gateway', extra))}`,
      restart,
      kill: async (service) => {
        const killed = processes.filter((running) => running.service === service)
        await Promise.all(killed.map(({ child }) => ended(child, 'SIGKILL')))
      },
      stop: () => stops.stop(),
    }
    await startAll(forum, counts)
    return forum
  })
}

/** Starts a database, and a Redis and a NATS that can start again on their ports. */
async function startStores(dir: string, stops: Stops) {
  // Each field is set once its server is up, which is awaited below.
  const servers = {} as { redis: Server; nats: NatsServer }
  const launch = {
    redis: async (port?: number) => {
      servers.redis = await startRedis({ dir: join(dir, 'redis'), port })
    },
    nats: async (port?: number) => {
      servers.nats = await startNats({ dir: join(dir, 'nats'), port })
    },
  }
  stops.add(() => Promise.all([servers.redis?.stop(), servers.nats?.stop()]))
  const migrating = createMigrated(migrate, stops)
  const [databaseUrl] = await settledAll([migrating, launch.redis(), launch.nats()])
  const restart: Forum['restart'] = async (name, isEmpty = false) => {
    if (isEmpty) rmSync(join(dir, name, DATA[name]), { recursive: true, force: true })
    await launch[name](servers[name].port)
  }
  return { servers, databaseUrl, restart }
}

async function startAll(forum: Forum, counts: Counts): Promise<void> {
  const many = <T>(service: Service, startOne: () => Promise<T>) =>
    settledAll(Array.from({ length: counts[service] ?? 1 }, startOne))
  const starting = SERVICES.map((service) => many(service, () => forum.start(service)))
  const gateways = many('gateway', () => forum.startGateway())
  const [urls] = await settledAll([gateways, ...starting])
  forum.urls.push(...urls)
}

/** The process is in `processes` from its first moment, so that it is stopped whatever happens. */
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
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const isReady = () => log.some((line) => line.includes('"msg":"ready"'))
  const isDecided = async () => isReady() || hasEnded()
  await eventually(`${service} is ready`, isDecided, READY_WITHIN_MS)
  if (!isReady()) throw new Error(`${service} ended: ${log.join('\n')}`)
  return started
}

/** The gateway logs the port it listens on, because the test asked for any. */
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

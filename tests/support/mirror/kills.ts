import { join } from 'node:path'
import {
  type Server,
  startMeili,
  startPostgres,
  UNSAFE_BUT_FAST,
} from '../../../deploy/local/servers/servers.mjs'
import { allOrNothing } from '../all-or-nothing.ts'
import { eventuallyPasses } from '../eventually.ts'
import type { Forum, Service } from '../forum.ts'

type Launch = (port?: number) => Promise<Server>

/** A server that no other test uses, so that it may be killed. */
class OwnServer {
  readonly #launch: Launch
  #server: Server

  private constructor(launch: Launch, server: Server) {
    this.#launch = launch
    this.#server = server
  }

  static async start(launch: Launch): Promise<OwnServer> {
    return new OwnServer(launch, await launch())
  }

  get url(): string {
    return this.#server.url
  }

  /**
   * Starting it again may fail at first, because the memory of a killed server stays held for a
   * moment.
   */
  async kill(): Promise<void> {
    const { port } = this.#server
    await killed(this.#server)
    this.#server = await eventuallyPasses(() => this.#launch(port))
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}

/** The two servers that other tests share. */
export interface OwnServers {
  postgres: OwnServer
  meilisearch: OwnServer
}

export function startOwnServers(dir: string, meiliKey: string): Promise<OwnServers> {
  const inMeili = { dir: join(dir, 'meilisearch'), masterKey: meiliKey }
  const inPostgres = { dir: join(dir, 'postgres'), tuning: UNSAFE_BUT_FAST }
  return allOrNothing(async (stops) => {
    const postgres = await OwnServer.start((port) => startPostgres({ ...inPostgres, port }))
    stops.add(() => postgres.stop())
    const meilisearch = await OwnServer.start((port) => startMeili({ ...inMeili, port }))
    return { postgres, meilisearch }
  })
}

interface Killable {
  pid: number | undefined
  exited: Promise<unknown>
}

async function killed({ pid, exited }: Killable): Promise<void> {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  await exited
}

type Kills = Record<string, () => Promise<void>>

/** Everything that may be killed; each is started again on its port. */
export function killsOf(forum: Forum, { postgres, meilisearch }: OwnServers): Kills {
  const service = (name: Service) => async () => {
    const running = forum.processes.filter(
      ({ service: of, child }) =>
        of === name && child.exitCode === null && child.signalCode === null,
    )
    await forum.kill(name)
    // The gateways must start again on their ports, where clients look for them.
    const places = forum.urls.map((url) => ({ PORT: new URL(url).port }))
    await Promise.all(running.map((_, n) => forum.start(name, name === 'gateway' ? places[n] : {})))
  }
  return {
    gateway: service('gateway'),
    content: service('content'),
    scanner: service('scanner'),
    search: service('search'),
    ranking: service('ranking'),
    redis: () => killServer(forum, 'redis'),
    nats: () => killServer(forum, 'nats'),
    postgres: () => postgres.kill(),
    meilisearch: () => meilisearch.kill(),
  }
}

/** Further mishaps: a server loses its data, or one of its processes. */
export function mishapsOf(forum: Forum): Kills {
  return {
    'redis with its data': () => killServer(forum, 'redis', true),
    'nats with its data': () => killServer(forum, 'nats', true),
    'one connection of postgres': () => killConnection(forum),
  }
}

async function killServer(forum: Forum, name: 'redis' | 'nats', isEmpty?: boolean): Promise<void> {
  await killed(forum[name])
  await forum.restart(name, isEmpty)
}

/** PostgreSQL then ends all connections, and recovers. */
async function killConnection({ db }: Forum): Promise<void> {
  const { rows } = await db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() LIMIT 1`,
  )
  for (const { pid } of rows) process.kill(pid, 'SIGKILL')
}

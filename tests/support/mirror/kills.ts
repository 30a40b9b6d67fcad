import { startPostgres, UNSAFE_BUT_FAST } from '../../../deploy/local/servers/servers.mjs'
import { eventuallyPasses } from '../eventually.ts'
import type { Forum, Service } from '../forum.ts'

/** A PostgreSQL of one's own, which may be killed. */
export class OwnPostgres {
  readonly #dir: string
  #server: Awaited<ReturnType<typeof startPostgres>>

  private constructor(dir: string, server: Awaited<ReturnType<typeof startPostgres>>) {
    this.#dir = dir
    this.#server = server
  }

  static async start(dir: string): Promise<OwnPostgres> {
    return new OwnPostgres(dir, await startPostgres({ dir, tuning: UNSAFE_BUT_FAST }))
  }

  get url(): string {
    return this.#server.url
  }

  /** Its memory is still held for a moment after it was killed. */
  async kill(): Promise<void> {
    const { port } = this.#server
    await killed(this.#server)
    const again = { dir: this.#dir, port, tuning: UNSAFE_BUT_FAST }
    this.#server = await eventuallyPasses(() => startPostgres(again))
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}

interface Killable {
  pid: number | undefined
  exited: Promise<unknown>
}

async function killed({ pid, exited }: Killable): Promise<void> {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  await exited
}

/** Everything that may be killed, each started again where it was, and what may lose its data. */
export function killsOf(forum: Forum, postgres: OwnPostgres): Record<string, () => Promise<void>> {
  const service = (name: Service) => async () => {
    const running = forum.processes.filter(
      ({ service: of, child }) =>
        of === name && child.exitCode === null && child.signalCode === null,
    )
    await forum.kill(name)
    // A gateway is asked where it was.
    const places = forum.urls.map((url) => ({ PORT: new URL(url).port }))
    await Promise.all(running.map((_, n) => forum.start(name, name === 'gateway' ? places[n] : {})))
  }
  const server = (name: 'redis' | 'nats', isEmpty?: boolean) => async () => {
    await killed(forum[name])
    await forum.restart(name, isEmpty)
  }
  return {
    gateway: service('gateway'),
    content: service('content'),
    scanner: service('scanner'),
    search: service('search'),
    ranking: service('ranking'),
    redis: server('redis'),
    nats: server('nats'),
    postgres: () => postgres.kill(),
    'redis with its data': server('redis', true),
    'nats with its data': server('nats', true),
  }
}

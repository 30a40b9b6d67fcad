import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { Redis } from 'ioredis'
import pg from 'pg'
import { provideDataServers } from '../deploy/local/launch/data-servers.mjs'
import { keptSecrets } from '../deploy/local/launch/secrets.mjs'
import { probeMeili, probeNats, probePostgres, probeRedis } from '../deploy/local/servers/probe.mjs'
import { startServer } from '../deploy/local/servers/server.mjs'
import {
  type Server,
  startMeili,
  startNats,
  startPostgres,
  startRedis,
  UNSAFE_BUT_FAST,
} from '../deploy/local/servers/servers.mjs'
import { describeWithMeili, MEILI } from './support/meilisearch.ts'

const MASTER_KEY = 'a-master-key-for-tests'
// Only Linux tells how exact the timers of a process are, and what its environment is.
const onLinux = process.platform === 'linux' ? it : it.skip

let dir: string
let servers: Server[]

beforeEach(() => {
  // Private, and with a space in its name: the worst place a clone may live in.
  dir = mkdtempSync(join(tmpdir(), 'stoa servers '))
  servers = []
})

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(dir, { recursive: true, force: true })
})

describe('private data servers', () => {
  it('keep the data of PostgreSQL across a restart, in UTF-8 and without superuser rights', async () => {
    const options = { dir, database: 'stoa', tuning: UNSAFE_BUT_FAST }
    const first = track(await startPostgres(options))
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()

    const second = track(await startPostgres(options))

    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    const [settings] = await query(
      second.url,
      `SELECT current_setting('server_encoding') AS encoding, rolsuper AS super,
         current_setting('wal_segment_size') AS log_file
       FROM pg_roles WHERE rolname = current_user`,
    )
    // Files of the log are small, because every commit waits while one is made.
    expect(settings).toEqual({ encoding: 'UTF8', super: false, log_file: '2MB' })
  })

  it('refuse an incomplete PostgreSQL folder, and start once the folder is removed', async () => {
    const options = { dir, tuning: UNSAFE_BUT_FAST }
    const whole = track(await startPostgres(options))
    await whole.stop()
    rmSync(join(dir, 'data', 'PG_VERSION'))

    await expect(startPostgres(options)).rejects.toThrow('PostgreSQL did not start')

    rmSync(join(dir, 'data'), { recursive: true })
    await probePostgres(track(await startPostgres(options)).url)
  })

  it('keep the data and the password of Redis across a stop and a start', async () => {
    const first = track(await startRedis({ dir }))
    const client = new Redis(first.url, { maxRetriesPerRequest: 1, retryStrategy: () => null })
    await client.set('kept', '42')
    await client.quit()
    await first.stop()

    const second = track(await startRedis({ dir, port: first.port }))

    expect(second.url).toBe(first.url)
    const again = new Redis(second.url, { maxRetriesPerRequest: 1, retryStrategy: () => null })
    expect(await again.get('kept')).toBe('42')
    await again.quit()
  })

  onLinux('give NATS coarse timers, and run it as the process of the returned pid', async () => {
    const { pid } = track(await startNats({ dir }))

    expect(readFileSync(`/proc/${pid}/timerslack_ns`, 'utf8')).toBe('2000000\n')
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('nats-server\n')
  })

  it('leave no process and no open port after a stop', async () => {
    const nats = track(await startNats({ dir }))

    await nats.stop()

    expect(existsSync(`/proc/${nats.pid}`)).toBe(false)
    await expect(probeNats(nats.url)).rejects.toThrow('ECONNREFUSED')
  })

  it('start even if the clock jumps by hours during the start', async () => {
    let now = Date.now()
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => {
      now += 3_600_000
      return now
    })

    const nats = track(await startNats({ dir }).finally(() => clock.mockRestore()))

    await expect(probeNats(nats.url)).resolves.toBeUndefined()
  })

  it('name the server that did not start because its port was taken', async () => {
    const taken = track(await startRedis({ dir: join(dir, 'first') }))

    const second = startRedis({ dir: join(dir, 'second'), port: taken.port })

    await expect(second).rejects.toThrow(/Redis did not start/)
  })

  it('start on another port if the first was taken meanwhile, however long the error message is', async () => {
    const fails = `console.log('Address already in use' + '\\n  at some place'.repeat(20)); process.exit(1)`
    const listens = `require('net').createServer().listen(process.argv[1], '127.0.0.1')`
    const ports: number[] = []
    const launchOn = (port: number) => {
      ports.push(port)
      const script = ports.length === 1 ? fails : listens
      return { command: process.execPath, args: ['-e', script, `${port}`] }
    }
    const probe = async (port: number) => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect').finally(() => socket.destroy())
    }

    const plan = { name: 'stand-in', port: undefined, dir, logFile: undefined, launchOn, probe }
    const started = await startServer(plan)
    await started.stop()

    expect([ports.length, ports.at(-1)]).toEqual([2, started.port])
  })
})

describeWithMeili('a private Meilisearch', () => {
  const start = async (name: string) =>
    track(await startMeili({ dir: join(dir, name), masterKey: MASTER_KEY }))

  onLinux('keeps the pages that it frees, unless the environment says otherwise', async () => {
    const heapsOf = async (name: string) => {
      const { pid } = await start(name)
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      return environment.filter((line) => line.startsWith('MALLOC_')).sort()
    }
    const usual = await heapsOf('usual')
    process.env.MALLOC_ARENA_MAX = '4'
    const told = await heapsOf('told').finally(() => delete process.env.MALLOC_ARENA_MAX)

    expect(usual).toEqual(['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=134217728'])
    expect(told).toEqual(['MALLOC_ARENA_MAX=4', 'MALLOC_TRIM_THRESHOLD_=134217728'])
  })

  it('starts again if the version file of its index is missing', async () => {
    await (await start('kept')).stop()
    rmSync(join(dir, 'kept', 'version'))

    const { url } = await start('kept')

    await probeMeili(url, MASTER_KEY)
    expect(readFileSync(join(dir, 'kept', 'version'), 'utf8')).toContain('meilisearch')
  })
})

describe('data servers given by address', () => {
  const given = {
    DATABASE_URL: process.env.TEST_DATABASE_URL,
    REDIS_URL: process.env.TEST_REDIS_URL,
    NATS_URL: process.env.TEST_NATS_URL,
    MEILI_URL: MEILI.url,
    MEILI_KEY: MEILI.key,
  }

  it('are used unchanged, and no private server is started', async () => {
    const { started, addresses } = await provide(given)

    expect(started).toEqual([])
    expect(addresses.databaseUrl).toBe(given.DATABASE_URL)
    expect(addresses.natsUrl('content')).toBe(given.NATS_URL)
  })

  it('may be several servers of one bus, some unreachable, with the login of each service', async () => {
    const { port } = await listenIn('INFO {"jetstream":true}\r\nPONG\r\n')
    const servers = `127.0.0.1:1,127.0.0.1:${port}`

    const { addresses } = await provide({
      ...given,
      NATS_URL: `nats://${servers}`,
      NATS_GATEWAY_PASSWORD: 'open',
      NATS_CONTENT_PASSWORD: 'ses@me',
    })

    expect(addresses.natsUrl('content')).toBe(`nats://content:ses%40me@${servers}`)
    await expect(probeNats('nats://127.0.0.1:1,127.0.0.1:2')).rejects.toThrow('ECONNREFUSED')
  })

  it('may be PostgreSQL at a socket in a folder', async () => {
    await listenIn('R', join(dir, '.s.PGSQL.5433'))

    await probePostgres(`postgresql:///stoa?host=${encodeURIComponent(dir)}&port=5433`)
    await probePostgres(`postgresql://stoa@${encodeURIComponent(dir)}:5433/stoa`)
  })

  it('are probed below the path of their address', async () => {
    const asked: unknown[] = []
    const server = createHttpServer(({ url }, response) => {
      asked.push(url)
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')

    await probeMeili(`http://127.0.0.1:${(server.address() as AddressInfo).port}/meili/`)

    expect(asked).toEqual(['/meili/version'])
    server.close()
  })

  it.each([
    { DATABASE_URL: 'postgresql://localhost:1/stoa' },
    { REDIS_URL: 'redis://localhost:1' },
    { NATS_URL: 'nats://localhost:1' },
    { MEILI_URL: 'http://localhost:1' },
    { REDIS_URL: 'not an address' },
    { MEILI_URL: 'http://stoa:open-sesame@localhost:1' },
    { MEILI_URL: 'http://stoa:@open-sesame@localhost:1' },
    { MEILI_URL: 'http://localhost:1', MEILI_KEY: 'open\nopen-sesame' },
  ])(
    'are refused in one sentence without their password if they do not work: %j',
    async (wrong) => {
      const [variable] = Object.keys(wrong)

      await expect(provide({ ...given, ...wrong })).rejects.toThrow(
        new RegExp(`^${variable} does not lead to a usable (?!.*open-sesame)[^\n]+$`),
      )
    },
  )

  it('are refused without showing the wrong password', async () => {
    const url = new URL(given.REDIS_URL ?? '')
    url.password = 'open-sesame'

    await expect(provide({ ...given, REDIS_URL: url.href })).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('open-sesame') }),
    )
    await expect(probeRedis(url.href)).rejects.toThrow('WRONGPASS')
  })

  it.each([
    ['tls', probeNats],
    ['rediss', probeRedis],
  ] as const)(
    'receive no password in the clear if the address begins with %s',
    async (scheme, probe) => {
      const { heard, port } = await listenIn('INFO {"jetstream":true}\r\n')

      await expect(probe(`${scheme}://stoa:open-sesame@127.0.0.1:${port}`)).rejects.toThrow()

      expect(heard.join()).not.toContain('open-sesame')
    },
  )

  it.each(['tls_required', 'tls_available'])(
    'receive no password in the clear if the greeting says %s',
    async (what) => {
      const { heard, port } = await listenIn(`INFO {"jetstream":true,"${what}":true}\r\n`)

      await probeNats(`nats://stoa:open-sesame@127.0.0.1:${port}`)

      expect(heard.join()).not.toContain('open-sesame')
    },
  )
})

/** A server without TLS that sends a greeting and keeps what it receives. */
async function listenIn(
  greeting: string,
  path?: string,
): Promise<{ heard: string[]; port: number }> {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.write(greeting)
    socket.on('data', (data) => heard.push(data.toString('latin1'))).on('error', () => {})
  })
  server.unref()
  if (path === undefined) server.listen(0, '127.0.0.1')
  else server.listen(path)
  await once(server, 'listening')
  return { heard, port: (server.address() as AddressInfo).port }
}

function track<S extends Server>(server: S): S {
  servers.push(server)
  return server
}

async function provide(env: NodeJS.ProcessEnv) {
  const started: Awaited<
    ReturnType<typeof import('../deploy/local/processes/supervise.mjs').supervise>
  >[] = []
  const context = { dir, secrets: keptSecrets(dir), env, say: () => {}, started }
  return { started, addresses: await provideDataServers(context) }
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

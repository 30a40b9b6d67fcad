import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { rotateOnce } from '../deploy/local/launch/log-rotation.mjs'
import { untilHealthy } from '../deploy/local/launch/readiness.mjs'
import { keptSecrets } from '../deploy/local/launch/secrets.mjs'
import { metricsAddresses, SERVICES, serviceEnv } from '../deploy/local/launch/service-env.mjs'
import { serviceProgram } from '../deploy/local/launch/service-program.mjs'
import { readSettings } from '../deploy/local/launch/settings.mjs'
import { whyEnded } from '../deploy/local/launch/why-ended.mjs'
import { launch } from '../deploy/local/processes/child.mjs'
import { freePort } from '../deploy/local/processes/free-port.mjs'
import { descendantsOf, isAlive, known } from '../deploy/local/processes/known-process.mjs'
import { signalPid } from '../deploy/local/processes/own-programs.mjs'
import { leaveCharge, takeCharge } from '../deploy/local/processes/process-record.mjs'
import { run } from '../deploy/local/processes/run.mjs'
import { supervise } from '../deploy/local/processes/supervise.mjs'
import { probePostgres } from '../deploy/local/servers/probe.mjs'
import { eventually } from './support/eventually.ts'
import { signal } from './support/signal.ts'

/** How long a refused start may take: a second, or many times that on a busy machine. */
const ENDS_WITHIN_MS = 60_000

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stoa launcher '))
})

afterEach(() => {
  leaveCharge(join(dir, 'processes.json'))
  rmSync(dir, { recursive: true, force: true })
})

describe('supervise', () => {
  it('starts a killed program again, and says so', async () => {
    const lines: string[] = []
    const service = await superviseForever(lines)
    const first = service.pid()

    signalPid(first, 'SIGKILL')
    await eventually('it says both', async () => lines.length >= 2)

    expect(lines).toEqual([
      'stand-in was ended by SIGKILL; starting it again in 0.01 s',
      'stand-in was started again',
    ])
    expect(service.pid()).not.toBe(first)
    await service.stop()
    expect(signalPid(service.pid(), 0)).toBe(false)
  })

  it('doubles its delay after each crash in a row', async () => {
    const lines: string[] = []
    const start = () => launch({ command: process.execPath, args: ['-e', 'process.exit(3)'] })
    const say = (line: string) => lines.push(line)
    const service = await supervise({ name: 'stand-in', start, say, delayMinMs: 5 })

    await eventually('it has crashed three times', async () => service.crashes() >= 3)
    await service.stop()

    expect(lines.filter((line) => line.includes('exit code 3')).slice(0, 3)).toEqual([
      'stand-in ended with exit code 3; starting it again in 0.005 s',
      'stand-in ended with exit code 3; starting it again in 0.01 s',
      'stand-in ended with exit code 3; starting it again in 0.02 s',
    ])
  })

  it('does not restart a program that it was asked to stop', async () => {
    const lines: string[] = []
    const service = await superviseForever(lines)

    await service.stop()

    expect(lines).toEqual([])
    expect(service.crashes()).toBe(0)
  })

  it('stops a program that comes up again while it is asked to stop', async () => {
    const [begunAgain, goesOn] = [signal(), signal()]
    let starts = 0
    const start = async () => {
      if (starts++ > 0) {
        begunAgain.give()
        await goesOn.given
      }
      return launch({ command: process.execPath, args: ['-e', WAITS] })
    }
    const service = await supervise({ name: 'stand-in', start, say: () => {}, delayMinMs: 5 })
    const killed = service.pid()
    signalPid(killed, 'SIGKILL')
    await begunAgain.given

    const stopping = service.stop()
    goesOn.give()
    await stopping

    expect(service.pid()).not.toBe(killed)
    expect(signalPid(service.pid(), 0)).toBe(false)
  })

  it('rejects if the first start fails', async () => {
    const start = () => Promise.reject(new Error('no such server'))

    await expect(supervise({ name: 'stand-in', start, say: () => {} })).rejects.toThrow(
      'no such server',
    )
  })
})

const WAITS = 'setInterval(() => {}, 1000)'

describe('run', () => {
  it('kills a program that takes too long and ignores SIGTERM, and says so', async () => {
    const args = ['-c', 'trap "" TERM; sleep 10; :']

    expect(await run({ command: 'sh', args, timeoutMs: 200, graceMs: 50 })).toEqual({
      code: -1,
      output: 'It was ended after 0.2 s.',
    })
  })

  it('resolves only after an aborted program has ended', async () => {
    const ended = join(dir, 'ended')
    const unwanted = new AbortController()
    const script = `trap 'sleep 0.3; : > "$0"; exit 3' TERM; : > "$0.up"; while :; do sleep 0.01; done`
    const running = run({ command: 'sh', args: ['-c', script, ended], signal: unwanted.signal })
    await eventually('it runs', async () => existsSync(`${ended}.up`))

    unwanted.abort()

    expect((await running).code).toBe(3)
    expect(existsSync(ended)).toBe(true)
  })

  it('leaves no program running if the launcher exits', async () => {
    const pidFile = join(dir, 'pid')
    const script = `
      import { existsSync } from 'node:fs'
      import { run } from ${JSON.stringify(urlOf('processes/run.mjs'))}
      void run({ command: 'sh', args: ['-c', 'echo $$ > "$0"; exec sleep 60', process.argv[1]] })
      setInterval(() => existsSync(process.argv[1]) && process.exit(130), 5)`
    const args = ['--input-type=module', '--eval', script, pidFile]

    expect((await run({ command: process.execPath, args })).code).toBe(130)

    await eventually('it says who it is', async () => readFileSync(pidFile, 'utf8'))
    await gone(Number(readFileSync(pidFile, 'utf8')))
  })

  it('kills the processes that an aborted program has started', async () => {
    const pidFile = join(dir, 'pid')
    const unwanted = new AbortController()
    const script = `
      const { pid } = require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
      require('node:fs').writeFileSync(process.argv[1], String(pid))
      ${WAITS}`
    const args = ['--eval', script, pidFile]
    const running = run({ command: process.execPath, args, signal: unwanted.signal })
    await eventually('it has started something', async () => existsSync(pidFile))
    const started = await eventually('it says what', async () => readFileSync(pidFile, 'utf8'))

    unwanted.abort()
    await running

    await gone(Number(started))
  })

  it('starts nothing if its signal is already aborted', async () => {
    const made = join(dir, 'made')
    const signal = AbortSignal.abort(new Error('Stopped.'))

    const { code, output } = await run({ command: 'touch', args: [made], signal })

    expect({ code, output }).toEqual({ code: -1, output: 'Stopped.' })
    expect(existsSync(made)).toBe(false)
  })
})

async function gone(pid: number): Promise<void> {
  const commandLine = `/proc/${pid}/cmdline`
  // The file is empty if the process has ended but its parent has not waited for it.
  const isGone = () => !existsSync(commandLine) || readFileSync(commandLine, 'utf8') === ''
  await eventually('it is gone', async () => isGone())
}

describe('launch', () => {
  it('kills a program that ignores SIGTERM', async () => {
    const log = join(dir, 'stubborn.log')
    const script = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`
    const args = ['-e', script]
    const child = launch({ command: process.execPath, args, logFile: log, graceMs: 50 })
    await eventually('it is up', async () => readFileSync(log, 'utf8').includes('up'))

    await child.stop()

    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('reports a program that does not exist', async () => {
    const child = launch({ command: join(dir, 'nothing') })

    expect((await child.exited).error?.message).toContain('ENOENT')
    await child.stop()
  })

  const onLinux = process.platform === 'linux' ? it : it.skip
  onLinux.each([
    { turn: undefined, scheduling: '0 batch' },
    { turn: 'last' as const, scheduling: '5 batch' },
  ])('lets $turn one interrupt nobody: $scheduling', async ({ turn, scheduling }) => {
    const child = launch({ command: process.execPath, args: ['-e', WAITS], turn })
    const threads = () => readdirSync(`/proc/${child.pid}/task`)

    await eventually('each thread has its turn', async () =>
      threads().every((id) => schedulingOf(`${child.pid}/task/${id}`) === scheduling),
    )

    await child.stop()
  })

  onLinux('lets a program of the first turn interrupt other programs', async () => {
    const program = { command: process.execPath, args: ['-e', WAITS] }
    const first = launch({ ...program, turn: 'first' })
    const other = launch(program)
    // By the time the other is set back, the first would have been as well.
    await eventually('the other is set back', async () => {
      return schedulingOf(`${other.pid}`) === '0 batch'
    })

    expect(schedulingOf(`${first.pid}`)).toBe('0 other')

    await Promise.all([first.stop(), other.stop()])
  })

  onLinux('starts each service with its own scheduling policy', async () => {
    const programs = SERVICES.map((name) => serviceProgram(name, { env: {}, logFile: '' }))
    const children = programs.map(({ turn }) => {
      return launch({ command: process.execPath, args: ['-e', WAITS], turn })
    })
    const expected = {
      content: '0 batch',
      scanner: '0 batch',
      ranking: '0 batch',
      search: '5 batch',
      gateway: '0 other',
    }

    await eventually('each has its turn', async () =>
      SERVICES.every((name, i) => schedulingOf(`${children[i]?.pid}`) === expected[name]),
    )

    await Promise.all(children.map((child) => child.stop()))
  })

  it('runs a service with its environment and log, and with options of Node.js in front', () => {
    const given = { env: { PORT: '1' }, logFile: 'a.log', nodeArgs: ['--cpu-prof'] }

    const { args = [], env, logFile } = serviceProgram('content', given)

    expect(args).toEqual(['--cpu-prof', expect.stringMatching(/services\/content\/dist\/main.js$/)])
    expect({ env, logFile }).toEqual({ env: given.env, logFile: 'a.log' })
  })
})

/** Niceness and scheduling class of a thread, from `man 5 proc_pid_stat`. */
function schedulingOf(thread: string): string {
  const path = `/proc/${thread}/stat`
  const stat = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [NICE, POLICY] = [19 - 3, 41 - 3]
  return `${fields[NICE]} ${fields[POLICY] === '3' ? 'batch' : 'other'}`
}

describe('a file in the data folder', () => {
  it('with secrets is made once, readable by its owner only', () => {
    const first = keptSecrets(dir)
    const second = keptSecrets(dir)

    expect(second).toEqual(first)
    expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(new Set(Object.values(first.nats)).size).toBe(7)
  })

  it.each(['', '{"nats": {"gateway": "hidden', 'null'])(
    'with secrets is named but not shown if it is damaged: %j',
    async (text) => {
      writeFileSync(join(dir, 'secrets.json'), text)

      const { code, output } = await start({ PORT: `${await freePort()}` })

      expect(output).toContain(`${join(dir, 'secrets.json')} is damaged: restore it from a copy`)
      expect(output).not.toContain('hidden')
      expect(output).not.toMatch(/^ +at /m)
      expect(code).toBe(1)
      expect(readFileSync(join(dir, 'secrets.json'), 'utf8')).toBe(text)
    },
  )

  it.each(['', '{"env": {"DATABASE_URL": "hidden', 'null'])(
    'about the running forum is named but not shown if it is damaged: %j',
    async (text) => {
      takeCharge(join(dir, 'processes.json'))
      writeFileSync(join(dir, 'running.json'), text)

      const words = ['admin', 'moderator', 'list']
      const { code, output } = await start({ DATABASE_URL: '' }, 'operator.mjs', words)

      const remedy = 'is damaged: restart the forum, which rewrites this file, or set DATABASE_URL.'
      expect(output.trim()).toBe(`${join(dir, 'running.json')} ${remedy}`)
      expect(code).toBe(1)
    },
  )

  it('about a forum that was killed does not count as a running forum', async () => {
    const gone = { env: { DATABASE_URL: 'postgresql://stoa@127.0.0.1:9/stoa' } }
    writeFileSync(join(dir, 'running.json'), JSON.stringify(gone))

    const words = ['admin', 'moderator', 'list']
    const { code, output } = await start({ DATABASE_URL: '' }, 'operator.mjs', words)

    expect(output.trim()).toBe(
      'The forum is not running here: run npm start first, or set DATABASE_URL.',
    )
    expect(code).toBe(1)
  })

  it('with a full log is moved aside, and its writer goes on', () => {
    const log = join(dir, 'content.log')
    appendFileSync(log, 'x'.repeat(101))

    rotateOnce(dir, 100)
    appendFileSync(log, 'next')

    expect(readFileSync(log, 'utf8')).toBe('next')
    expect(statSync(`${log}.1`).size).toBe(101)
  })

  it('with a log gets its folder made if that is missing', () => {
    const logs = join(dir, 'logs')

    rotateOnce(logs, 100)
    expect(statSync(logs).mode & 0o777).toBe(0o700)

    rmSync(logs, { recursive: true })
    appendFileSync(logs, 'in its place')
    rotateOnce(logs, 100)
  })
})

describe('an operator command', () => {
  it('ends its program if it is stopped itself', async () => {
    const silent = createServer()
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
    const { port } = silent.address() as AddressInfo
    const asked = once(silent, 'connection')
    const operator = launch({
      command: process.execPath,
      args: [fileURLToPath(urlOf('operator.mjs')), 'admin', 'counters', 'check'],
      env: { ...process.env, DATABASE_URL: `postgresql://stoa@127.0.0.1:${port}/stoa` },
    })
    await asked
    const [program] = descendantsOf([known(operator.pid)])

    signalPid(operator.pid, 'SIGTERM')

    expect(await operator.exited).toEqual({ code: 130, signal: null })
    expect(program && isAlive(program)).toBe(false)
    silent.close()
  })
})

describe('the wait for readiness', () => {
  const notStopped = new AbortController().signal

  it('fails with the name of a service that ends again and again', async () => {
    const service = { name: 'ranking', pid: () => -1, crashes: () => 3, stop: async () => {} }
    const options = { url: 'http://127.0.0.1:1', searchMayBeDegraded: false, signal: notStopped }

    await expect(untilHealthy({ ...options, services: [service] })).rejects.toThrow(
      'The service ranking does not start.',
    )
  })

  it('explains the end of a service by the settings that its log complains about', async () => {
    const logFile = join(dir, 'gateway.log')
    writeFileSync(logFile, 'What an earlier start said.\n')
    const env = { ...process.env, RATE_POST: '60', STREAMS_MAX: 'many' }
    const service = launch(serviceProgram('gateway', { env, logFile }))
    expect(await service.exited).toMatchObject({ code: 1 })

    expect(whyEnded(logFile)).toBe(
      [
        'Its log says: not started, bad configuration',
        '  RATE_POST: is not <requests>/<seconds>',
        '  STREAMS_MAX: is not a whole number from 0 to 100000',
      ].join('\n'),
    )
  })

  it('explains the end of a service by the end of its log if there is nothing else', () => {
    const logFile = join(dir, 'content.log')
    writeFileSync(logFile, '{"msg":"ready"}\nFATAL ERROR: out of memory\n')

    expect(whyEnded(logFile)).toContain('{"msg":"ready"}\nFATAL ERROR: out of memory')
  })

  it('lasts until every part is ok, except for search without Meilisearch', async () => {
    const answers = [
      { status: 'down', services: { content: { status: 'down' }, search: { status: 'degraded' } } },
      { status: 'degraded', services: { ranking: { status: 'degraded' } } },
      { status: 'degraded', services: { ranking: { status: 'ok' }, search: { status: 'down' } } },
    ]
    let asked = 0
    const server = createHttpServer((_request, response) => {
      response.end(JSON.stringify(answers[asked++]))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    await untilHealthy({ url, searchMayBeDegraded: true, services: [], signal: notStopped })
    server.close()

    expect(asked).toBe(3)
  })

  it('ends after a while if parts are only degraded, and names those parts', async () => {
    const health = { status: 'degraded', services: { search: { status: 'degraded' } } }

    expect(await healthyWithin(health, 200)).toBe('health says degraded (search)')
  })

  it('fails after a while if the forum is down', async () => {
    const health = { status: 'down', services: { content: { status: 'down' } } }

    await expect(healthyWithin(health, 200)).rejects.toThrow(
      'The forum is not ready after 0.2 s: health says down (content).',
    )
  })

  async function healthyWithin(health: object, withinMs: number): Promise<string> {
    const server = createHttpServer((_request, response) => {
      response.end(JSON.stringify(health))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const options = { url, searchMayBeDegraded: false, services: [], signal: notStopped }
    return untilHealthy({ ...options, withinMs }).finally(() => server.close())
  }
})

describe('readSettings', () => {
  it.each(['0', '65536', '80a', '-1', '8080.5'])('refuses PORT=%s', (port) => {
    expect(() => readSettings({ PORT: port })).toThrow('PORT must be a number from 1 to 65535')
  })

  it('refuses a BASE_URL that is no web address or holds a login', () => {
    expect(() => readSettings({ BASE_URL: 'forum.example' })).toThrow('BASE_URL must be')
    const withLogin = { BASE_URL: 'https://user:hidden@forum.example' }
    expect(() => readSettings(withLogin)).toThrow(
      'BASE_URL must not contain a user, query or fragment.',
    )
  })

  it('uses loopback and localhost by default', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      url: 'http://127.0.0.1:8080',
      baseUrl: 'http://localhost:8080',
      rateLimitsOff: false,
    })
  })
})

describe('npm start', () => {
  it('names a port that is taken, and leaves no processes.json', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo

    const { code, output } = await start({ PORT: `${port}` })
    server.close()

    expect(output).toContain(`Port ${port} on 127.0.0.1 is taken: set PORT to a free one.`)
    expect(code).toBe(1)
    expect(existsSync(join(dir, 'processes.json'))).toBe(false)
  })

  it('says why it cannot listen at an address of another machine', async () => {
    const { code, output } = await start({ HOST: '203.0.113.9' })

    expect(output).toContain('of 203.0.113.9: correct HOST and PORT (listen EADDRNOTAVAIL')
    expect(code).toBe(1)
  })

  it('refuses to start twice in one data folder', async () => {
    takeCharge(join(dir, 'processes.json'))

    const { code, output } = await start({ PORT: '1' })

    expect(output).toContain(`already runs from this data folder (process ${process.pid})`)
    expect(code).toBe(1)
    expect(existsSync(join(dir, 'processes.json'))).toBe(true)
  })

  const onLinux = process.platform === 'linux' ? it : it.skip
  onLinux.each(['/proc/stoa/data', '/dev/null', '/dev/null/data'])(
    'ends where the data folder cannot be made: %s',
    async (folder) => {
      for (const script of ['start.mjs', 'database.mjs']) {
        const { code, output } = await start({ DATA_DIR: folder }, script)

        expect(output).toContain('The data folder cannot be made: set DATA_DIR to another folder (')
        expect(code).toBe(1)
      }
    },
  )

  onLinux('refuses a data folder in which nothing can be written', async () => {
    for (const script of ['start.mjs', 'database.mjs']) {
      const { code, output } = await start({ DATA_DIR: '/proc/self' }, script)

      expect(output).toContain(
        'The data folder cannot be written: set DATA_DIR to another folder (',
      )
      expect(code).toBe(1)
    }
  })

  it('refuses a bad setting before it writes anything', async () => {
    const { code, output } = await start({ PORT: 'http' })

    expect(output).toContain('PORT must be a number')
    expect(code).toBe(1)
    expect(readdirSync(dir)).toEqual([])
  })
})

describe('npm run database', () => {
  it('runs the private PostgreSQL alone until it is stopped', async () => {
    // A killed launcher leaves this file behind.
    const gone = { env: { DATABASE_URL: 'postgresql://stoa@127.0.0.1:9/stoa' } }
    writeFileSync(join(dir, 'running.json'), JSON.stringify(gone))
    const log = join(dir, 'database.log')
    const command = process.execPath
    const args = [fileURLToPath(urlOf('database.mjs'))]
    const env = { ...process.env, DATA_DIR: dir, DATABASE_URL: '' }
    const child = launch({
      command,
      args,
      env,
      logFile: log,
      stopSignal: 'SIGINT',
      graceMs: 30_000,
    })
    const said = () => readFileSync(log, 'utf8')
    const isSaid = async () => /DATABASE_URL=(\S+)\n/.exec(said())?.[1]
    const url = await eventually('it says where', isSaid, 60_000)

    await probePostgres(url)
    const { output } = await start({ PORT: '1' })
    const listing = ['admin', 'moderator', 'list']
    const { output: refusal } = await start({ DATABASE_URL: '' }, 'operator.mjs', listing)
    await child.stop()

    expect(output).toContain('already runs from this data folder')
    expect(refusal).toContain('The forum is not running here')
    expect(await child.exited).toEqual({ code: 0, signal: null })
    expect(existsSync(join(dir, 'processes.json'))).toBe(false)
  })

  it('refuses to start while a forum runs from the same folder', async () => {
    takeCharge(join(dir, 'processes.json'))

    const { code, output } = await start({}, 'database.mjs')

    expect(output).toContain(`Stop the forum first: it runs from this data folder`)
    expect(code).toBe(1)
  })
})

describe('the environment of the gateway', () => {
  const given = process.env.LOG_HASH_KEY

  afterEach(() => {
    if (given === undefined) delete process.env.LOG_HASH_KEY
    else process.env.LOG_HASH_KEY = given
  })

  it.each(['', undefined])('has the kept LOG_HASH_KEY if the given one is %p', (empty) => {
    if (empty === undefined) delete process.env.LOG_HASH_KEY
    else process.env.LOG_HASH_KEY = empty
    const secrets = keptSecrets(dir)
    const addresses = {
      databaseUrl: '',
      redisUrl: '',
      natsUrl: () => '',
      meiliUrl: undefined,
      meiliKey: undefined,
    }

    const env = serviceEnv('gateway', readSettings({}), addresses, secrets)

    expect(secrets.logHashKey).toMatch(/./)
    expect(env.LOG_HASH_KEY).toBe(secrets.logHashKey)
  })
})

describe('the addresses of metrics', () => {
  it('are five ports in a row, or empty if none is given', () => {
    expect(metricsAddresses('[::1]:9464')).toEqual({
      gateway: '[::1]:9464',
      content: '[::1]:9465',
      search: '[::1]:9466',
      ranking: '[::1]:9467',
      scanner: '[::1]:9468',
    })
    const none = { gateway: '', content: '', search: '', ranking: '', scanner: '' }
    expect(metricsAddresses()).toEqual(none)
  })
})

/** Runs the launcher on this test's own data folder, for starts that end by themselves. */
function start(env: NodeJS.ProcessEnv, name = 'start.mjs', words: string[] = []) {
  const script = fileURLToPath(urlOf(name))
  return run({
    command: process.execPath,
    args: [script, ...words],
    env: { ...process.env, DATA_DIR: dir, ...env },
    timeoutMs: ENDS_WITHIN_MS,
  })
}

function superviseForever(lines: string[]) {
  const args = ['-e', 'setInterval(() => {}, 1000)']
  const start = () => launch({ command: process.execPath, args })
  const say = (line: string) => lines.push(line)
  return supervise({ name: 'stand-in', start, say, delayMinMs: 10 })
}

function urlOf(file: string): string {
  return new URL(`../deploy/local/${file}`, import.meta.url).href
}

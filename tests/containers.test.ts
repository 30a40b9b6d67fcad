import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { launch } from '../deploy/local/processes/child.mjs'
import { freePort } from '../deploy/local/processes/free-port.mjs'
import { run } from '../deploy/local/processes/run.mjs'
import { redisBinary } from '../deploy/local/servers/binaries.mjs'
import { GO_RUNTIME, WITH_COARSE_TIMERS } from '../deploy/local/servers/nats.mjs'
import { SETTINGS } from '../deploy/local/servers/postgres.mjs'
import { probeRedis } from '../deploy/local/servers/probe.mjs'
import { ROOT, readDocument } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { settings } from './support/settings.ts'

const SERVICES = ['gateway', 'content', 'scanner', 'search', 'ranking']
const ENTRYPOINT = '#!/bin/sh\nexec "$@" --bind 127.0.0.1 --port "$TEST_PORT"\n'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-containers-'))
})

afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

/** The lines of a service in the compose file, with those it takes from the shared part. */
function composed(service: string): string {
  const file = readDocument('deploy/docker-compose.yml')
  const own = new RegExp(`^ {2}${service}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(file)?.[1] ?? ''
  const shared = /^x-hot: &hot\n((?: {2}.*\n)+)/m.exec(file)?.[1] ?? ''
  return own.includes('<<: *hot') ? own + shared : own
}

describe('the compose file', () => {
  it.each(SERVICES)('gives the %s every setting that it reads', (service) => {
    const read = settings().filter(({ readBy }) => readBy.includes(service))
    const lines = composed(service)

    expect(read.length).toBeGreaterThan(3)
    expect(
      read.map(({ name }) => name).filter((name) => !new RegExp(`^ +${name}: `, 'm').test(lines)),
    ).toEqual([])
  })

  it('mounts an existing folder of rule packs into the scanner, read-only', () => {
    const [, folder = ''] =
      /- \$\{SCANNER_PACKS_DIR:-(.+)\}:\/packs:ro$/m.exec(composed('scanner')) ?? []

    expect(existsSync(join(ROOT, 'deploy', folder, 'canaries.json'))).toBe(true)
  })

  it('runs the bus with the Go settings and timers of `npm start`', () => {
    const lines = composed('nats').replaceAll("'", '')

    for (const [name, value] of Object.entries(GO_RUNTIME)) {
      expect(lines).toContain(`${name}: ${value}\n`)
    }
    expect(composed('nats')).toContain(`- '${WITH_COARSE_TIMERS.replace('$', '$$$$')}'\n`)
  })

  it('runs PostgreSQL with the settings of `npm start`, except those that depend on the machine', () => {
    const ofTheMachine = [
      ...['listen_addresses', 'unix_socket_directories', 'max_connections'],
      ...['shared_buffers', 'effective_cache_size'],
    ]
    const shared = Object.entries(SETTINGS).filter(([name]) => !ofTheMachine.includes(name))

    expect(
      shared
        .map(([name, value]) => `- -c${name}=${value}\n`)
        .filter((line) => !composed('postgres').includes(line)),
    ).toEqual([])
  })

  it('refuses to start while a password is missing', () => {
    const file = readDocument('deploy/docker-compose.yml')
    const used = file.matchAll(/\$\{(\w+_PASSWORD|MEILI_MASTER_KEY|LOG_HASH_KEY)/g)

    expect(
      [...new Set([...used].map(([, name]) => name))].filter(
        (name) => !file.includes(`\${${name}:?`),
      ),
    ).toEqual([])
  })

  it('gives Redis its password without showing it in the list of processes', async () => {
    const [, lines = ''] = /- \|\n((?: {8}.*\n)+)/.exec(composed('redis')) ?? []
    const { path, env } = await redisBinary()
    // Like the entry point of the image, except for the user it becomes.
    writeFileSync(join(dir, 'docker-entrypoint.sh'), ENTRYPOINT, { mode: 0o755 })
    const port = await freePort()
    const password = 'only-in-the-environment'
    const server = launch({
      command: 'sh',
      args: ['-c', lines.replaceAll(/^ {8}/gm, '').replaceAll('$$', '$')],
      env: {
        ...env,
        PATH: `${dir}:${dirname(path)}:${env.PATH}`,
        REDISCLI_AUTH: password,
        TEST_PORT: `${port}`,
      },
      cwd: dir,
    })
    try {
      const isUp = () => probeRedis(`redis://:${password}@127.0.0.1:${port}`).then(() => true)
      await eventually('Redis with its password', isUp)

      await expect(probeRedis(`redis://127.0.0.1:${port}`)).rejects.toThrow('NOAUTH')
      expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain(password)
    } finally {
      await server.stop()
    }
  })
})

describe('the script that writes the file of passwords', () => {
  const generate = () =>
    run({ command: process.execPath, args: [join(ROOT, 'deploy/generate-env.mjs'), file()] })
  const file = () => join(dir, '.env')
  const passwords = () =>
    new Map(
      [...readFileSync(file(), 'utf8').matchAll(/^(\w+)=(p[\da-f]{48})$/gm)].map(
        ([, name, value]) => [name, value],
      ),
    )

  it('writes the file once, readable by its owner only', async () => {
    const { output } = await generate()
    const first = readFileSync(file(), 'utf8')

    expect(output).toBe(`Wrote ${file()}\n`)
    expect(passwords().size).toBe(11)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect((await generate()).output).toBe(`Kept ${file()}\n`)
    expect(readFileSync(file(), 'utf8')).toBe(first)
  })

  it('adds passwords that a later release needs, and keeps the lines that were there', async () => {
    writeFileSync(file(), 'BASE_URL=https://forum.example\nPOSTGRES_PASSWORD=mine\nLOG_HASH_KEY=')

    const { output } = await generate()

    expect(output).toContain('Added REDIS_PASSWORD, MEILI_MASTER_KEY, LOG_HASH_KEY, NATS_GATEWAY_')
    const text = readFileSync(file(), 'utf8')
    expect(text).toMatch(/^BASE_URL=https:\/\/forum.example\nPOSTGRES_PASSWORD=mine\n/)
    expect(passwords().size).toBe(10)
  })

  it('fills an empty line instead of adding its name a second time', async () => {
    const empty = ['REDIS_PASSWORD=', 'MEILI_MASTER_KEY=""', "NATS_CONTENT_PASSWORD='' \t"]
    writeFileSync(file(), `POSTGRES_PASSWORD=mine\n${empty.join('\n')}\nPUBLISH_PORT=8080\n`)

    await generate()

    const lines = readFileSync(file(), 'utf8').trim().split('\n')
    const names = lines.map((line) => line.split('=')[0])
    const ended = [...empty.map((line) => line.split('=')[0]), 'PUBLISH_PORT']
    expect(names.slice(1, 5)).toEqual(ended)
    expect(new Set(names).size).toBe(names.length)
    expect(passwords().size).toBe(10)
    expect((await generate()).output).toBe(`Kept ${file()}\n`)
  })
})

describe('a service', () => {
  let child: ChildProcess | undefined

  afterEach(() => {
    child?.kill('SIGKILL')
  })

  /**
   * Runs a service with this code as its start; returns a function that gives what it has printed
   * on standard error.
   */
  function runs(start: string, file: string): () => string {
    const service = `
      import { runService } from '${join(ROOT, 'packages/shared/dist/process/service.js')}'
      setInterval(() => {}, 1_000)
      await runService('test', ${start})`
    child = spawn(process.execPath, ['--input-type=module', '--eval', service], {
      env: { ...process.env, HEARTBEAT_FILE: file, LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let printed = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk
    })
    return () => printed
  }

  it('renews its heartbeat file, and prints nothing on standard error', async () => {
    const file = join(dir, 'heartbeat')
    const beatAt = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
    const printed = runs('async () => ({ close: async () => {} })', file)

    const first = await eventually('a heartbeat', async () => beatAt())
    expect(await eventually('another', async () => (beatAt() ?? 0) > first)).toBe(true)
    expect(printed()).toBe('')
  })

  it('removes an old heartbeat file while it is still starting', async () => {
    const file = join(dir, 'heartbeat')
    writeFileSync(file, '')
    runs('() => new Promise(() => {})', file)

    expect(await eventually('it is gone', async () => !existsSync(file))).toBe(true)
  })
})

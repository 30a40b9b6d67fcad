import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { GO_RUNTIME, WITH_COARSE_TIMERS } from '../deploy/local/servers/nats.mjs'
import { ROOT, readDocument } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { settings } from './support/settings.ts'

const SERVICES = ['gateway', 'content', 'scanner', 'search', 'ranking']

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

  it('shows a scanner a folder of rule packs, which it may not change', () => {
    const [, folder = ''] =
      /- \$\{SCANNER_PACKS_DIR:-(.+)\}:\/packs:ro$/m.exec(composed('scanner')) ?? []

    expect(existsSync(join(ROOT, 'deploy', folder, 'canaries.json'))).toBe(true)
  })

  it('runs the bus as `npm start` does', () => {
    const lines = composed('nats').replaceAll("'", '')

    for (const [name, value] of Object.entries(GO_RUNTIME)) {
      expect(lines).toContain(`${name}: ${value}\n`)
    }
    expect(composed('nats')).toContain(`- '${WITH_COARSE_TIMERS.replace('$', '$$$$')}'\n`)
  })
})

describe('a service', () => {
  const dir = mkdtempSync(join(tmpdir(), 'stoa-heartbeat-'))
  let child: ChildProcess | undefined

  afterEach(() => {
    child?.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })

  it('renews its heartbeat, and prints nothing beside its log', async () => {
    const file = join(dir, 'heartbeat')
    const beatAt = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
    const service = `
      import { runService } from '${join(ROOT, 'packages/shared/dist/process/service.js')}'
      await runService('test', async () => ({ close: async () => {} }))
      setInterval(() => {}, 1_000)`
    child = spawn(process.execPath, ['--input-type=module', '--eval', service], {
      env: { ...process.env, HEARTBEAT_FILE: file, LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let printed = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk
    })

    const first = await eventually('a heartbeat', async () => beatAt())
    expect(await eventually('another', async () => (beatAt() ?? 0) > first)).toBe(true)
    expect(printed).toBe('')
  }, 60_000)
})

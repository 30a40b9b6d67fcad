import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { launch } from '../deploy/local/processes/child.mjs'
import { signalPid } from '../deploy/local/processes/own-programs.mjs'
import {
  leaveCharge,
  otherInCharge,
  stopLeftovers,
  takeCharge,
} from '../deploy/local/processes/process-record.mjs'
import { run } from '../deploy/local/processes/run.mjs'
import { makeRunFolder, removeRunFolder } from '../deploy/local/processes/run-folder.mjs'
import { eventually } from './support/eventually.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stoa record '))
})

afterEach(() => {
  leaveCharge(join(dir, 'processes.json'))
  rmSync(dir, { recursive: true, force: true })
})

describe('the process record', () => {
  it('lets the next launcher stop the programs of a killed launcher', async () => {
    const record = join(dir, 'processes.json')
    const left = await leaveProgramRunning(record)
    expect(otherInCharge(record)).toBeNull()

    expect(await stopLeftovers(record)).toBe(1)

    expect(isRunning(left)).toBe(false)
  })

  it('lets the next launcher stop the processes that such a program has started', async () => {
    const record = join(dir, 'processes.json')
    const told = join(dir, 'told')
    const started = `require('child_process').spawn('sleep', ['60'], { detached: true }).pid`
    const tell = `require('fs').writeFileSync(${JSON.stringify(told)}, String(${started}))`
    await leaveProgramRunning(record, tell)
    await eventually('it says what', async () => existsSync(told) && readFileSync(told, 'utf8'))

    expect(await stopLeftovers(record)).toBe(1)

    expect(isRunning(Number(readFileSync(told, 'utf8')))).toBe(false)
  })

  it('keeps a launcher from stopping a process that has got a recorded id since', async () => {
    const record = join(dir, 'processes.json')
    const left = await leaveProgramRunning(record)
    const written = JSON.parse(readFileSync(record, 'utf8'))
    const [boot] = written.children[0].identity.split(' ')
    const others = ['another boot', boot].map((since) => ({
      ...written.children[0],
      identity: `${since} 1`,
    }))
    written.children = others
    writeFileSync(record, JSON.stringify(written))

    expect(await stopLeftovers(record)).toBe(0)

    expect(isRunning(left)).toBe(true)
    signalPid(left, 'SIGKILL')
  })

  it('does not report its own process as another process in charge', () => {
    const record = join(dir, 'processes.json')
    takeCharge(record)

    expect(otherInCharge(record)).toBeNull()
    expect(JSON.parse(readFileSync(record, 'utf8')).owner.pid).toBe(process.pid)
  })
})

describe('the folder of a run', () => {
  it.each(['test', 'bench'])(
    'of a killed %s is removed by the next run, and its programs are stopped',
    async (kind) => {
      const left = join(dir, `stoa-${kind}-left`)
      mkdirSync(left)
      const program = await leaveProgramRunning(join(left, 'processes.json'))

      const folder = await makeRunFolder('bench', dir)

      expect([existsSync(left), isRunning(program)]).toEqual([false, false])
      removeRunFolder(folder)
      expect(readdirSync(dir)).toEqual([])
    },
  )

  it('stays while its run goes on, and records each program of that run', async () => {
    const first = await makeRunFolder('bench', dir)
    const second = await makeRunFolder('bench', dir)
    const { pid, stop } = launch({ command: 'sleep', args: ['60'] })
    const noted = [first, second].map((folder) => childrenIn(join(folder, 'processes.json')))
    removeRunFolder(second)
    await stop()

    expect(noted).toEqual([[expect.objectContaining({ pid })], [expect.objectContaining({ pid })]])
    expect(childrenIn(join(first, 'processes.json'))).toEqual([])
    removeRunFolder(first)
  })
})

describe('npm start', () => {
  it('takes charge of the data folder before leftover programs have ended', async () => {
    const record = join(dir, 'processes.json')
    const [deaf, told] = [join(dir, 'deaf'), join(dir, 'told')]
    const note = (file: string) => `require('fs').writeFileSync(${JSON.stringify(file)}, '')`
    const left = await leaveProgramRunning(
      record,
      `process.on('SIGTERM', () => ${note(told)}); ${note(deaf)}`,
    )
    // Before that, SIGTERM would end the program.
    await eventually('it listens for signals', async () => existsSync(deaf))
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const start = () =>
      run({
        command: process.execPath,
        args: [new URL('../deploy/local/start.mjs', import.meta.url).pathname],
        env: { ...process.env, DATA_DIR: dir, PORT: `${port}` },
        timeoutMs: 60_000,
      })
    const running = join(dir, 'running.json')
    writeFileSync(running, '{}')
    const first = start()
    await eventually('it is told to end', async () => existsSync(told))
    expect(existsSync(running)).toBe(false)

    const second = await start()
    signalPid(left, 'SIGKILL')
    const { output } = await first
    taken.close()

    expect(second.output).toContain('already runs from this data folder')
    expect(output).toContain('Stopped 1 programs')
    expect(output).toContain(`Port ${port} on 127.0.0.1 is taken`)
    expect(existsSync(record)).toBe(false)
  })
})

/** A launcher that starts one program and is then killed outright; returns the program's id. */
async function leaveProgramRunning(record: string, also = ''): Promise<number> {
  const program = `${also}; setInterval(() => {}, 1000)`
  const script = `
    const { launch } = await import(${JSON.stringify(urlOf('child.mjs'))})
    const { takeCharge } = await import(${JSON.stringify(urlOf('process-record.mjs'))})
    takeCharge(${JSON.stringify(record)})
    launch({ command: process.execPath, args: ['-e', ${JSON.stringify(program)}] })`
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', script])
  await eventually('it is noted', async () => childrenIn(record).length === 1)
  launcher.kill('SIGKILL')
  await once(launcher, 'exit')
  return childrenIn(record)[0]?.pid ?? -1
}

function childrenIn(record: string): { pid: number }[] {
  return existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).children : []
}

function urlOf(file: string): string {
  return new URL(`../deploy/local/processes/${file}`, import.meta.url).href
}

/** A process that has ended but was not yet waited for by its parent counts as gone. */
function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'))
}

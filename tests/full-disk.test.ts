import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { rotateOnce } from '../deploy/local/launch/log-rotation.mjs'
import { launch } from '../deploy/local/processes/child.mjs'
import { leaveCharge, takeCharge } from '../deploy/local/processes/process-record.mjs'
import { run } from '../deploy/local/processes/run.mjs'
import { keptPassword } from '../deploy/local/servers/password.mjs'
import { ROOT } from './support/documents.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stoa full disk '))
})

afterEach(() => {
  leaveCharge(join(dir, 'processes.json'))
  rmSync(dir, { recursive: true, force: true })
})

it('a service whose log cannot be written goes on, and ends on SIGTERM', async () => {
  const service = `
    import { runService } from '${join(ROOT, 'packages/shared/dist/process/service.js')}'
    await runService('test', async (log) => {
      for (let i = 0; i < 100; i++) log.warn('no room')
      return { close: async () => {} }
    })
    setInterval(() => {}, 1_000)
    console.error('still here')`
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', service], {
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  try {
    const [said] = await once(child.stderr as NodeJS.ReadableStream, 'data')
    expect(String(said)).toContain('still here')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})

it('a service whose log nobody reads goes on, and leaves no incomplete line', async () => {
  const service = `
    import { runService } from '${join(ROOT, 'packages/shared/dist/process/service.js')}'
    await runService('test', async (log) => {
      for (let i = 0; i < 2_000; i++) log.warn({ of: 'x'.repeat(5_000) }, 'no room')
      return { close: async () => {} }
    })
    setInterval(() => {}, 1_000)
    console.error('still here')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', service], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const [said] = await once(child.stderr, 'data')
    expect(String(said)).toContain('still here')
    const logged = child.stdout.toArray()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    const lines = Buffer.concat(await logged)
      .toString()
      .trim()
      .split('\n')
    expect(JSON.parse(lines.at(-1) as string).msg).toBe('stopped')
    expect(lines.map((line) => JSON.parse(line).service)).toEqual(lines.map(() => 'test'))
  } finally {
    child.kill('SIGKILL')
  }
})

it('the exit of a program is reported even if it cannot be recorded', async () => {
  const record = join(dir, 'processes.json')
  takeCharge(record)
  // This folder is in the way of the next note.
  mkdirSync(`${record}.new`)

  const child = launch({ command: process.execPath, args: ['-e', 'process.exit(3)'] })

  expect(await child.exited).toEqual({ code: 3, signal: null })
})

/** Runs a module that gets the folder as its first argument and can write no byte to any file. */
function runWithoutRoom(script: string) {
  const noRoom = ['-c', 'ulimit -f 0; exec "$@"', 'sh']
  const args = [...noRoom, process.execPath, '--input-type=module', '--eval', script, dir]
  return run({ command: 'sh', args })
}

it('makeDataFolder names a folder that cannot be written, and leaves nothing in it', async () => {
  const script = `
    import { makeDataFolder } from '${join(ROOT, 'deploy/local/launch/data-folder.mjs')}'
    makeDataFolder(process.argv[1])`
  const { code, output } = await runWithoutRoom(script)

  expect(code).not.toBe(0)
  expect(output).toContain('The data folder cannot be written: set DATA_DIR to another folder (')
  expect(readdirSync(dir)).toEqual([])
})

it('keptPassword makes a password at the next start if the disk was full at the first', async () => {
  const script = `
    import { keptPassword } from '${join(ROOT, 'deploy/local/servers/password.mjs')}'
    keptPassword(process.argv[1])`
  const { code } = await runWithoutRoom(script)

  expect(code).not.toBe(0)
  expect(keptPassword(dir)).toMatch(/^p[\da-f]{48}$/)
  expect(keptPassword(dir)).toBe(keptPassword(dir))
})

it('rotateOnce leaves a log that cannot be moved aside as it is, and rotates the others', () => {
  const log = join(dir, 'content.log')
  appendFileSync(log, 'x'.repeat(101))
  // This folder is in the way of the copy.
  mkdirSync(`${log}.1`)
  const other = join(dir, 'gateway.log')
  appendFileSync(other, 'y'.repeat(101))

  rotateOnce(dir, 100)

  expect(readFileSync(log, 'utf8')).toHaveLength(101)
  expect(readFileSync(other, 'utf8')).toBe('')
})

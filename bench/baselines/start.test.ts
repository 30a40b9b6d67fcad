import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { signalPid } from '../../deploy/local/processes/own-programs.mjs'
import { startBaseline } from './start.mjs'

let answers: string

beforeEach(() => {
  answers = mkdtempSync(join(tmpdir(), 'stoa-baseline-'))
})

afterEach(() => {
  rmSync(answers, { recursive: true, force: true })
})

const startHttp = () => startBaseline('node-http', { answers, databaseUrl: '' })

describe('a baseline', () => {
  it('says why it cannot start', async () => {
    // A body without its headers.
    writeFileSync(join(answers, 'feed.body'), '')

    await expect(startHttp()).rejects.toThrow(
      /^The baseline node-http does not start:\n.*feed\.json/s,
    )
  })

  it('can be stopped again after it has ended', async () => {
    const { pid, stop } = await startHttp()
    signalPid(pid, 'SIGKILL')
    await stop()

    await stop()

    expect(signalPid(pid, 0)).toBe(false)
  })
})

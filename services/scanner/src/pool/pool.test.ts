import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import { packsDir } from '../rules/packs-dir.ts'
import type { ScanPool, ScanPoolOptions } from './pool.ts'

// Worker threads run the built files, so the pool is imported from these too.
const { createScanPool } = (await import(
  new URL('../../dist/pool/pool.js', import.meta.url).href
)) as typeof import('./pool.ts')

/** Time for the workers that start again, because an overrun costs one on every try. */
const RESTARTS_MS = 300_000
const PACK = 'obfuscation.pack.json'
/** The result of a text that overran on every try. */
const OVERRUN = { verdict: 'quarantine', findings: [{ rule: 'scanner.timeout' }] }
jest.setTimeout(RESTARTS_MS)

type Pack = { version: string; rules: Record<string, unknown>[] }

const pools: ScanPool[] = []
const slowPacks = packsWithSlowRule()

/** A few rules, which a worker reads quickly, and one with very many ways to match its pattern. */
function packsWithSlowRule(): string {
  const dir = mkdtempSync(join(tmpdir(), 'stoa-packs-'))
  cpSync(join(packsDir(), PACK), join(dir, PACK))
  changePack(dir, (pack) => {
    const pattern = '(?:[a-z ]{1,30}){1,30}!!'
    const examples = { hits: ['endless words!!'], misses: ['a line'] }
    const told = { ...pack.rules[0], id: 'obfuscation.slow', examples }
    pack.rules.push({ ...told, matcher: 'pattern', pattern, keywords: ['endless'] })
  })
  return dir
}

function copyOfPacks(): string {
  const dir = mkdtempSync(join(tmpdir(), 'stoa-packs-'))
  cpSync(slowPacks, dir, { recursive: true })
  return dir
}

function changePack(dir: string, change: (pack: Pack) => void): void {
  const pack = JSON.parse(readFileSync(join(dir, PACK), 'utf8'))
  change(pack)
  writeFileSync(join(dir, PACK), JSON.stringify(pack))
}

async function pool(options: Partial<ScanPoolOptions> = {}): Promise<ScanPool> {
  const standard = { workers: 1, deadlineMs: 5_000, packsDir: slowPacks, queueMax: 100 }
  const made = await createScanPool({ ...standard, waitMaxMs: RESTARTS_MS, ...options })
  pools.push(made)
  return made
}

afterEach(() => Promise.all(pools.splice(0).map((made) => made.close())))
afterAll(() => rmSync(slowPacks, { recursive: true }))

/** The number of threads of this process, workers of pools included (Linux). */
function threads(): number {
  return readdirSync('/proc/self/task').length
}

/**
 * A new worker needs a few milliseconds for a line, and seconds for ENDLESS. So no stall lets
 * ENDLESS finish, and a line finishes even on a machine that is busy with other tests.
 */
const OVERRUN_MS = 200
const ENDLESS = `${`endless ${'word '.repeat(20)}`.repeat(2_300)}!!`
const post = (text: string) => ({ body_md: text })

describe('createScanPool', () => {
  it('scans in a worker, and returns the version of its rules', async () => {
    const scanner = await pool()

    const result = await scanner.scan(post('Hello from the pool.'))

    expect(result).toMatchObject({ verdict: 'allow', pack: scanner.pack() })
  })

  it('quarantines a text whose scan takes too long', async () => {
    const scanner = await pool({ deadlineMs: 1 })

    const outcome = await scanner.scan(post(ENDLESS))

    expect(outcome).toMatchObject(OVERRUN)
  })

  it('gives a short text its own verdict although the scan of the text before it takes too long', async () => {
    const scanner = await pool({ deadlineMs: OVERRUN_MS })

    const [first, line, ...others] = await Promise.all(
      [ENDLESS, 'one line', ENDLESS, ENDLESS].map((text) => scanner.scan(post(text))),
    )

    for (const outcome of [first, ...others]) {
      expect(outcome).toMatchObject(OVERRUN)
    }
    expect(line).toMatchObject({ verdict: 'allow' })
  })

  it('retries a text whose scan took too long only after the waiting texts', async () => {
    const scanner = await pool({ deadlineMs: OVERRUN_MS })
    const done: string[] = []
    const read = (name: string, text: string) =>
      scanner.scan(post(text)).then(() => done.push(name))

    await Promise.all([
      read('endless', ENDLESS),
      ...Array(12)
        .fill('a line')
        .map((line) => read(line, line)),
    ])

    expect(done.at(-1)).toBe('endless')
  })

  it('reloads its rules although the scan of the text before takes too long', async () => {
    const scanner = await pool({ deadlineMs: OVERRUN_MS })

    const [, reloaded] = await Promise.all([scanner.scan(post(ENDLESS)), scanner.reload()])

    expect(reloaded).toMatchObject({ swapped: true, version: scanner.pack() })
  })

  it('refuses a text if its queue is full', async () => {
    const scanner = await pool({ queueMax: 2 })

    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => scanner.scan(post('a line'))),
    )

    const refused = outcomes.filter(({ status }) => status === 'rejected')
    for (const { reason } of refused as PromiseRejectedResult[])
      expect(reason).toMatchObject({ code: 'unavailable' })
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(8)
  })

  it('rejects a text as unavailable if no worker takes it in time', async () => {
    // Far less time than a new worker needs to start.
    const scanner = await pool({ deadlineMs: 30, waitMaxMs: 1 })

    const outcomes = await Promise.allSettled(
      [ENDLESS, ...Array(8).fill('a line')].map((text) => scanner.scan(post(text))),
    )

    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  })

  it('scans with its old rules, in a new worker too, after the packs on disk were refused', async () => {
    const dir = copyOfPacks()
    const scanner = await pool({ deadlineMs: OVERRUN_MS, packsDir: dir })
    const version = scanner.pack()
    writeFileSync(join(dir, PACK), '{ broken')
    expect(await scanner.reload()).toMatchObject({ swapped: false, version })
    rmSync(dir, { recursive: true })
    expect(await scanner.reload()).toMatchObject({ swapped: false, version })

    const [endless, line] = await Promise.all(
      [ENDLESS, 'a line'].map((text) => scanner.scan(post(text))),
    )

    expect(endless).toMatchObject(OVERRUN)
    expect(line).toMatchObject({ verdict: 'allow', pack: version })
  })

  it('scans with its old rules until the new rules are proved', async () => {
    const dir = copyOfPacks()
    const scanner = await pool({ packsDir: dir })
    const version = scanner.pack()
    changePack(dir, (pack) => {
      pack.version = '99.0.0'
    })

    const reloading = scanner.reload()
    const result = await scanner.scan(post('a line'))

    expect(result).toMatchObject({ verdict: 'allow', pack: version })
    expect(await reloading).toMatchObject({ swapped: true, version: scanner.pack() })
    rmSync(dir, { recursive: true })
  })

  it('uses new rules in all of its workers, and ends the old workers', async () => {
    const dir = copyOfPacks()
    const scanner = await pool({ packsDir: dir, workers: 2 })
    changePack(dir, (pack) => {
      pack.version = '99.0.0'
    })

    const before = threads()

    const outcomes = await Promise.all([scanner.reload(), scanner.reload()])

    expect(outcomes).toMatchObject([{ swapped: true }, { swapped: true }])
    await eventually('the old ones have ended', async () => threads() <= before)
    expect(scanner.pack()).toContain('obfuscation@99.0.0')
    const results = await Promise.all(
      Array.from({ length: 16 }, () => scanner.scan(post('a line'))),
    )
    for (const result of results) expect(result).toMatchObject({ pack: scanner.pack() })
    rmSync(dir, { recursive: true })
  })
})

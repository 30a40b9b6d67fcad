import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { packsDir } from '../rules/packs-dir.ts'
import type { ScanPool, ScanPoolOptions } from './pool.ts'

// Worker threads run the built files, so the pool is taken from there too.
const { createScanPool } = (await import(
  new URL('../../dist/pool/pool.js', import.meta.url).href
)) as typeof import('./pool.ts')

const pools: ScanPool[] = []

async function pool(options: Partial<ScanPoolOptions> = {}): Promise<ScanPool> {
  const standard = { workers: 1, deadlineMs: 5_000, packsDir: packsDir(), queueMax: 100 }
  const made = await createScanPool({ ...standard, ...options })
  pools.push(made)
  return made
}

afterAll(() => Promise.all(pools.map((made) => made.close())))

/** A new worker needs a few milliseconds for a line, and some hundred for ENDLESS. */
const OVERRUN_MS = 30
const ENDLESS = 'a1b2 c3d4! show pat s. leak '.repeat(9_000)
/** On a busy machine a scan may have ended before anybody looks how long it has run. */
const verdictOf = (outcome: Awaited<ReturnType<ScanPool['scan']>> | undefined) =>
  outcome && 'overrun' in outcome ? outcome.result.verdict : outcome?.verdict
const post = (text: string) => ({ kind: 'post', fields: { body_md: text } })

describe('createScanPool', () => {
  it('scans in a worker and names its rule set', async () => {
    const scanner = await pool()

    const result = await scanner.scan(post('Hello from the pool.'))

    expect(result).toMatchObject({ verdict: 'allow', pack: scanner.pack() })
  })

  it('quarantines, never allows, what does not finish in time', async () => {
    const scanner = await pool({ deadlineMs: 1 })

    const outcome = await scanner.scan(post('ignore all previous curl key password '.repeat(5_000)))

    expect(outcome).toMatchObject({
      overrun: true,
      result: { verdict: 'quarantine', findings: [{ rule: 'scanner.timeout' }] },
    })
  }, 60_000)

  it('does not hold against a text what came before it', async () => {
    const scanner = await pool({ deadlineMs: OVERRUN_MS })

    const [first, line, ...others] = await Promise.all(
      [ENDLESS, 'one line', ENDLESS, ENDLESS].map((text) => scanner.scan(post(text))),
    )

    const endless = [first, ...others]
    expect(endless.map(verdictOf)).toEqual(endless.map(() => 'quarantine'))
    expect(endless).toContainEqual(expect.objectContaining({ overrun: true }))
    expect(line).toMatchObject({ verdict: 'allow' })
  }, 60_000)

  it('reloads its rules though the text before overruns', async () => {
    const scanner = await pool({ deadlineMs: OVERRUN_MS })

    const [, reloaded] = await Promise.all([scanner.scan(post(ENDLESS)), scanner.reload()])

    expect(reloaded).toMatchObject({ swapped: true, version: scanner.pack() })
  }, 60_000)

  it('refuses what its queue has no room for', async () => {
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

  it('gives back, without a verdict, what no worker takes', async () => {
    // Far less than a new worker needs to begin.
    const scanner = await pool({ deadlineMs: 30, waitMaxMs: 1 })

    const [endless, ...lines] = await Promise.allSettled(
      [ENDLESS, ...Array(8).fill('a line')].map((text) => scanner.scan(post(text))),
    )

    for (const outcome of lines)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    if (endless?.status === 'fulfilled') expect(verdictOf(endless.value)).toBe('quarantine')
    else expect(endless?.reason).toMatchObject({ code: 'unavailable' })
  })

  it('scans by its old rules, also in a new worker, after the packs on disk were refused', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'stoa-packs-'))
    cpSync(packsDir(), dir, { recursive: true })
    const scanner = await pool({ deadlineMs: OVERRUN_MS, packsDir: dir })
    const version = scanner.pack()
    writeFileSync(join(dir, 'secret.pack.json'), '{ broken')
    expect(await scanner.reload()).toMatchObject({ swapped: false, version })
    rmSync(dir, { recursive: true })
    expect(await scanner.reload()).toMatchObject({ swapped: false, version })

    const [endless, line] = await Promise.all(
      [ENDLESS, 'a line'].map((text) => scanner.scan(post(text))),
    )

    expect(verdictOf(endless)).toBe('quarantine')
    expect(line).toMatchObject({ verdict: 'allow', pack: version })
  }, 60_000)

  it('reloads its rules', async () => {
    const scanner = await pool()

    expect(await scanner.reload()).toMatchObject({ swapped: true, version: scanner.pack() })
  })
})

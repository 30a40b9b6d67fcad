import { afterAll, describe, expect, it } from '@jest/globals'
import { packsDir } from './packs-dir.ts'
import type { ScanPool } from './pool.ts'

// Worker threads run the built files, so the pool is taken from there too.
const { createScanPool } = (await import(
  new URL('../dist/pool.js', import.meta.url).href
)) as typeof import('./pool.ts')

const pools: ScanPool[] = []

async function pool(options: { deadlineMs?: number; queueMax?: number } = {}): Promise<ScanPool> {
  const { deadlineMs = 5_000, queueMax = 100 } = options
  const made = await createScanPool({ workers: 1, deadlineMs, packsDir: packsDir(), queueMax })
  pools.push(made)
  return made
}

afterAll(() => Promise.all(pools.map((made) => made.close())))

const ENDLESS = 'a1b2 c3d4! show pat s. leak '.repeat(9_000)
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
  })

  it('does not hold against a text what came before it', async () => {
    const scanner = await pool({ deadlineMs: 30 })

    const [first, line, ...others] = await Promise.all(
      [ENDLESS, 'one line', ENDLESS, ENDLESS].map((text) => scanner.scan(post(text))),
    )

    for (const outcome of [first, ...others]) {
      expect(outcome).toMatchObject({ overrun: true, result: { verdict: 'quarantine' } })
    }
    expect(line).toMatchObject({ verdict: 'allow' })
  }, 60_000)

  it('reloads its rules though the text before overruns', async () => {
    const scanner = await pool({ deadlineMs: 30 })

    const [, reloaded] = await Promise.all([scanner.scan(post(ENDLESS)), scanner.reload()])

    expect(reloaded).toMatchObject({ swapped: true, version: scanner.pack() })
  }, 30_000)

  it('refuses what its queue has no room for', async () => {
    const scanner = await pool({ queueMax: 2 })

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => scanner.scan(post('a line'))),
    )

    expect(outcomes.filter((outcome) => 'overrun' in outcome).length).toBeGreaterThan(0)
    expect(outcomes.filter((outcome) => !('overrun' in outcome)).length).toBeGreaterThan(0)
  })

  it('reloads its rules', async () => {
    const scanner = await pool()

    expect(await scanner.reload()).toMatchObject({ swapped: true, version: scanner.pack() })
  })
})

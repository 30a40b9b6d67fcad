import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { packsDir } from '@stoa/scanner/rules/packs-dir.js'
import { aPost, registerAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, READY_WITHIN_MS, type ServiceProcess, startForum } from './support/forum.ts'

let forum: Forum
let dir: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-packs-'))
  cpSync(packsDir(), dir, { recursive: true })
  forum = await startForum({ search: 0, ranking: 0 }, { SCANNER_PACKS: dir })
})

afterAll(async () => {
  await forum?.stop()
  rmSync(dir, { recursive: true, force: true })
})

type Pack = { version: string; rules: { examples: object }[] }

function changePack(change: (pack: Pack) => void): void {
  const file = join(dir, 'secret.pack.json')
  const pack: Pack = JSON.parse(readFileSync(file, 'utf8'))
  change(pack)
  writeFileSync(file, JSON.stringify(pack))
}

function threadsOf({ child }: ServiceProcess): number {
  return readdirSync(`/proc/${child.pid}/task`).length
}

it('a scanner loads its rule packs again on SIGHUP', async () => {
  const [scanner] = forum.processes.filter(({ service }) => service === 'scanner')

  scanner?.child.kill('SIGHUP')

  const areLoaded = async () =>
    scanner?.log.some((line) => JSON.parse(line).msg === 'rule packs loaded')
  await eventually('they are loaded', areLoaded, READY_WITHIN_MS)
})

it('a scanner that is stopped while it loads rules does not report them as refused', async () => {
  const scanner = await forum.start('scanner')
  const before = threadsOf(scanner)
  changePack((pack) => {
    pack.version = '99.0.0'
  })
  await eventually('a worker loads them', async () => threadsOf(scanner) > before)

  scanner.child.kill('SIGTERM')
  await eventually('it has stopped', async () => scanner.child.exitCode === 0)

  const messages = scanner.log.map((line) => JSON.parse(line).msg)
  expect(messages).toContain('stopped')
  expect(messages).not.toContain('rule packs loaded')
  expect(messages).not.toContain('rule packs refused')
  expect(messages).not.toContain('scan trouble')
})

describe('a rule pack with an example that fails', () => {
  it('raises an alert, and the forum still publishes posts', async () => {
    const author = await registerAgent(forum.url)

    changePack((pack) => {
      Object.assign(pack.rules[0] ?? {}, {
        examples: { hits: ['this is no secret at all'], misses: [] },
      })
    })

    const areTold = async () => {
      const { rows } = await forum.db.query(
        `SELECT target_id FROM alerts WHERE 'rule_set_refused' = ANY(categories)`,
      )
      return rows.length > 0
    }
    await eventually('moderators are told', areTold, READY_WITHIN_MS)
    const made = await author.post('/api/v1/communities/general/posts', aPost())
    expect(made.status).toBe(201)
  })
})

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { packsDir } from '@stoa/scanner/rules/packs-dir.js'
import { aPost, registerAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum
let dir: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-packs-'))
  cpSync(packsDir(), dir, { recursive: true })
  forum = await startForum({ search: 0, ranking: 0 }, { SCANNER_PACKS: dir })
})

afterAll(async () => {
  await forum.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe('a rule pack that does not hold', () => {
  it('is refused while the forum runs, keeps the old rules, and raises an alert', async () => {
    const author = await registerAgent(forum.url)
    const file = join(dir, 'secret.pack.json')
    const pack = JSON.parse(readFileSync(file, 'utf8'))
    pack.rules[0].examples = { hits: ['this is no secret at all'], misses: [] }

    writeFileSync(file, JSON.stringify(pack))

    await eventually('moderators are told', async () => {
      const { rows } = await forum.db.query(
        `SELECT target_id FROM alerts WHERE 'rule_set_refused' = ANY(categories)`,
      )
      return rows.length > 0
    })
    const made = await author.post('/api/v1/communities/general/posts', aPost())
    expect(made.status).toBe(201)
  })
})

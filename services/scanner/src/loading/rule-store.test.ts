import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readPackTexts } from '../rules/pack-texts.ts'
import { packsDir } from '../rules/packs-dir.ts'
import { RuleStore } from './rule-store.ts'

let dir = ''

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'packs-'))
  cpSync(packsDir(), dir, { recursive: true })
})

afterAll(() => rmSync(dir, { recursive: true }))

function editPack(
  change: (pack: { version: string; rules: { examples: { misses: unknown[] } }[] }) => void,
) {
  const path = join(dir, 'obfuscation.pack.json')
  const pack = JSON.parse(readFileSync(path, 'utf8'))
  change(pack)
  writeFileSync(path, JSON.stringify(pack))
}

describe('RuleStore', () => {
  it('loads the shipped packs, all examples and canaries holding', () => {
    expect(new RuleStore(readPackTexts(dir)).current().rules.length).toBeGreaterThan(250)
  })

  it('swaps to a sound set and keeps the old one when examples fail', () => {
    const store = new RuleStore(readPackTexts(dir))

    editPack((pack) => {
      pack.version = '1.0.1'
    })
    expect(store.reload(readPackTexts(dir)).swapped).toBe(true)
    const version = store.current().version
    expect(version).toContain('obfuscation@1.0.1')

    editPack((pack) => {
      pack.rules[0]?.examples.misses.push(`plain${'\u{e0041}'.repeat(9)}`)
    })
    const refused = store.reload(readPackTexts(dir))
    expect(refused).toMatchObject({ swapped: false, version })
    expect(store.current().version).toBe(version)
    expect(refused.error?.message).toContain('examples do not hold')
  })

  it('names the file of a set that it refuses, also where that is no JSON', () => {
    const texts = readPackTexts(packsDir())
    const cut = texts['secret.pack.json']?.slice(0, 1_000) as string

    const refused = new RuleStore(texts).reload({ ...texts, 'secret.pack.json': cut })

    expect(refused.error?.message).toMatch(/^secret\.pack\.json: .*JSON/)
  })

  it.each([
    ['lure.pack.json', 'lure.package-from-address', 'hit 0 is not found'],
    ['secret.pack.json', 'secret.generic-credential', 'has no windows'],
  ])('refuses a list of %s that is wrong or in vain', (file, id, reason) => {
    const texts = readPackTexts(packsDir())
    const pack = JSON.parse(texts[file] ?? '')
    pack.rules.find((rule: { id: string }) => rule.id === id).requires = [['nowhere']]

    const refused = new RuleStore(texts).reload({ ...texts, [file]: JSON.stringify(pack) })

    expect(refused.swapped).toBe(false)
    expect(refused.error?.message).toContain(id)
    expect(refused.error?.message).toContain(reason)
  })
})

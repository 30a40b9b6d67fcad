import { describe, expect, it } from '@jest/globals'
import { readPackTexts } from '../rules/pack-texts.ts'
import { packsDir } from '../rules/packs-dir.ts'
import { compileChecked, loadRules } from './load-rules.ts'

type Rule = {
  id: string
  requires: string[][]
  allow: string[]
  examples: { misses: unknown[] }
}

/** The shipped packs, with the rules of one of them changed. */
function packsWith(file: string, change: (rules: Rule[]) => void) {
  const texts = readPackTexts(packsDir())
  const pack = JSON.parse(texts[file] ?? '')
  change(pack.rules)
  return { ...texts, [file]: JSON.stringify(pack) }
}

describe('loadRules', () => {
  it('loads the shipped packs with all their examples and canaries', () => {
    expect(loadRules(packsDir()).rules.length).toBeGreaterThan(250)
  })
})

describe('compileChecked', () => {
  it('refuses a rule set with an example that fails', () => {
    const packs = packsWith('obfuscation.pack.json', ([rule]) => {
      rule?.examples.misses.push(`plain${'\u{e0041}'.repeat(9)}`)
    })

    expect(() => compileChecked(packs)).toThrow('examples do not hold')
  })

  it('names the file of a rule set that is not JSON', () => {
    const texts = readPackTexts(packsDir())
    const cut = texts['secret.pack.json']?.slice(0, 1_000) as string

    expect(() => compileChecked({ ...texts, 'secret.pack.json': cut })).toThrow(
      /^secret\.pack\.json: .*JSON/,
    )
  })

  it('names the file of a rule that names a part its pack does not have', () => {
    const packs = packsWith('lure.pack.json', ([rule]) => {
      rule?.allow.push('{{nowhere}}')
    })

    expect(() => compileChecked(packs)).toThrow(/^lure\.pack\.json: .*no part nowhere/)
  })

  it.each([
    ['lure.pack.json', 'lure.package-from-address', 'hit 0 is not found'],
    ['secret.pack.json', 'secret.generic-credential', 'has no windows'],
  ])('refuses required texts of a rule in %s that are wrong or useless', (file, id, reason) => {
    const packs = packsWith(file, (rules) => {
      for (const rule of rules) if (rule.id === id) rule.requires = [['nowhere']]
    })

    expect(() => compileChecked(packs)).toThrow(new RegExp(`${id}.*${reason}`))
  })
})

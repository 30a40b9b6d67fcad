import { describe, expect, it } from '@jest/globals'
import type { Layer } from '../reading/layer.ts'
import { compileRules } from '../rules/compile-rules.ts'
import { type Place, windowsOf, wokenRules } from './windows.ts'

const RULE = {
  id: 'lure.test',
  version: 1,
  status: 'enforce',
  severity: 'high',
  matcher: 'pattern',
  keywords: ['run'],
  pattern: 'run.*one.*two',
  before: 5,
  after: 10,
  score: 1,
  why: 'For this test alone.',
  fix: 'For this test alone.',
  examples: { hits: ['run one two'], misses: ['run'] },
}
const PACK = {
  pack: 'lure',
  version: '1.0.0',
  contexts: { prose: 1, about: 1, code: 1, quote: 1, hidden: 1 },
  thresholds: { flag: 0.5, quarantine: 0.8, block: 0.9 },
}

function windowsIn(text: string, requires: string[][] = []): Place[] {
  const pack = { ...PACK, rules: [{ ...RULE, requires }] }
  const rules = compileRules({ 'lure.pack.json': JSON.stringify(pack) })
  const layer: Layer = { text, origin: null, chain: [], hidden: false, altered: null }
  const woken = wokenRules(layer, rules.search.find(text, 100), rules, 'raw')
  const [rule] = rules.rules
  return rule === undefined
    ? []
    : [...woken.values()].flatMap((places) => windowsOf(places, rule, text.length))
}

describe('the windows of a rule', () => {
  it('reach around its keywords, and are one where they meet', () => {
    expect(windowsIn(`0123456789 run run${' '.repeat(30)}run`)).toEqual([
      { start: 6, end: 28 },
      { start: 43, end: 51 },
    ])
    expect(windowsIn('nothing')).toEqual([])
  })

  it('are those in which a text of each required list ends, before or behind the keyword', () => {
    const lists = [['one', 'eins'], ['two']]
    const whole = { start: 0, end: 13 }

    expect(windowsIn('run one two..', lists)).toEqual([whole])
    expect(windowsIn('TWO run EINS.', lists)).toEqual([{ start: 0, end: 13 }])
    expect(windowsIn('run one one..', lists)).toEqual([])
    expect(windowsIn(`two${' '.repeat(6)}run one`, lists)).toEqual([])
    expect(windowsIn(`run one${' '.repeat(5)}two`, lists)).toEqual([])
  })

  it('are each looked at for themselves', () => {
    const far = ' '.repeat(40)
    const text = `run${far}run one${far}run${far}run one${far}one`

    expect(windowsIn(text, [['one']]).map(({ start }) => text.indexOf('run', start))).toEqual([
      43, 133,
    ])
  })
})

import { describe, expect, it } from '@jest/globals'
import type { Layer } from '../reading/layer.ts'
import { madeUpRules } from '../testing/made-up-rules.ts'
import { type Place, windowsOf, wokenRules } from './windows.ts'

const RULE = {
  id: 'lure.test',
  keywords: ['run'],
  pattern: 'run.*one.*two',
  before: 5,
  after: 10,
  score: 1,
}

function windowsIn(text: string, requires: string[][] = []): Place[] {
  const rules = madeUpRules({ lure: [{ ...RULE, requires }] })
  const layer: Layer = { text, origin: null, chain: [], hidden: false, altered: null }
  const woken = wokenRules(layer, rules.search.find(text, 100), rules, 'raw')
  const [rule] = rules.rules
  return rule === undefined
    ? []
    : [...woken.values()].flatMap((places) => windowsOf(places, rule, text.length))
}

describe('the windows of a rule', () => {
  it('reach around its keywords, and are merged if they meet', () => {
    expect(windowsIn(`0123456789 run run${' '.repeat(30)}run`)).toEqual([
      { start: 6, end: 28 },
      { start: 43, end: 51 },
    ])
    expect(windowsIn('nothing')).toEqual([])
  })

  it('are dropped unless a text of each required list ends in them', () => {
    const lists = [['one', 'eins'], ['two']]
    const whole = { start: 0, end: 13 }

    expect(windowsIn('run one two..', lists)).toEqual([whole])
    expect(windowsIn('TWO run EINS.', lists)).toEqual([{ start: 0, end: 13 }])
    expect(windowsIn('run one one..', lists)).toEqual([])
    expect(windowsIn(`two${' '.repeat(6)}run one`, lists)).toEqual([])
    expect(windowsIn(`run one${' '.repeat(5)}two`, lists)).toEqual([])
  })

  it('are checked for the required texts one by one', () => {
    const far = ' '.repeat(40)
    const text = `run${far}run one${far}run${far}run one${far}one`

    expect(windowsIn(text, [['one']]).map(({ start }) => text.indexOf('run', start))).toEqual([
      43, 133,
    ])
  })
})

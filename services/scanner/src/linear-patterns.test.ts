import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { checkSync } from 'recheck'
import { PackData } from './rules/pack.ts'
import { readPackTexts } from './rules/pack-texts.ts'
import { packsDir } from './rules/packs-dir.ts'

/** These folders run only on our own machines, on texts of our choosing. */
const OFFLINE = new Set(['cli', 'evaluate', 'train'])

/**
 * Patterns too large for the automaton to decide in time. Each is a list of words or pairs without
 * an unbounded repetition inside another, so a failed attempt ends after a bounded look-ahead; or
 * of letters and gaps, where no character is both.
 */
const REVIEWED = [
  ['matching/context.ts', '\\b(?:attack(?:s|er|ers|ed)?|'],
  ['reading/encoded-runs.ts', '(?:0x|\\\\x)?[0-9a-fA-F]{2}(?:'],
  ['reading/encoded-runs.ts', '[01]{8}(?:'],
  ['reading/views/close-up.ts', '(?<![\\p{L}\\p{M}])(?:[\\u0400-'],
  ['rules/validators.ts', 'access(?:ibility|or)|'],
] as const

const LITERAL = /(?<=[=(,:\s!&|?[])\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuy]*)/g
/** Many times what the largest pattern takes alone, so that a busy machine decides the same. */
const DECIDE_WITHIN_MS = 120_000

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!OFFLINE.has(entry.name)) yield* sources(path)
    } else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) yield path
  }
}

function patternsOf(path: string): { file: string; source: string; flags: string }[] {
  const file = relative(import.meta.dirname, path)
  return [...readFileSync(path, 'utf8').matchAll(LITERAL)]
    .map(([, source = '', flags = '']) => ({ file, source, flags }))
    .filter(({ source, flags }) => !/^[*/]/.test(source) && isPattern(source, flags))
}

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}

describe('the native patterns of the scanner', () => {
  it('take time in proportion to the length of any text', () => {
    const patterns = [...sources(import.meta.dirname)].flatMap(patternsOf)

    const doubtful = patterns
      .filter(
        ({ file, source }) =>
          !REVIEWED.some(([name, start]) => file === name && source.startsWith(start)),
      )
      .map((pattern) => ({
        ...pattern,
        verdict: checkSync(pattern.source, pattern.flags, {
          checker: 'automaton',
          timeout: DECIDE_WITHIN_MS,
        }).status,
      }))
      .filter(({ verdict }) => verdict !== 'safe')

    expect(patterns.length).toBeGreaterThan(50)
    expect(doubtful).toEqual([])
  })
})

/** Pattern for the whole rest of a line. */
const REST_OF_LINE = '[^\\n]*'

describe('the patterns of the rule packs', () => {
  it('never match the rest of a line without a bound', () => {
    const texts = Object.entries(readPackTexts(packsDir()))
    const packs = texts.filter(([name]) => name.endsWith('.pack.json'))
    const rules = packs.flatMap(([, text]) => PackData.parse(JSON.parse(text)).rules)

    const unbounded = rules.filter(({ pattern }) => pattern?.includes(REST_OF_LINE))

    expect(rules.length).toBeGreaterThan(400)
    expect(unbounded.map(({ id }) => id)).toEqual([])
  })
})

import { type CompiledRules, compileRules } from '../rules/compile-rules.ts'

const RULE = {
  version: 1,
  status: 'enforce',
  severity: 'high',
  matcher: 'pattern',
  why: 'For this test alone.',
  fix: 'For this test alone.',
  examples: { hits: ['a'], misses: ['b'] },
}

const PACK = {
  version: '1.0.0',
  contexts: { prose: 1, about: 1, code: 1, quote: 1, hidden: 1 },
  thresholds: { flag: 0.5, quarantine: 0.8, block: 0.9 },
}

/** Compiles rules, given by pack, with defaults for what a rule must have and does not say. */
export function madeUpRules(packs: Record<string, object[]>): CompiledRules {
  const texts = Object.entries(packs).map(([pack, rules]) => [
    `${pack}.pack.json`,
    JSON.stringify({ ...PACK, pack, rules: rules.map((rule) => ({ ...RULE, ...rule })) }),
  ])
  return compileRules(Object.fromEntries(texts))
}

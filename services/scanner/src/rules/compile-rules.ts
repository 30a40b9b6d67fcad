import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Category } from '../types.ts'
import { KnownWords } from '../words/known-words.ts'
import { compileModel, type LinearModel, ModelData } from '../words/linear-model.ts'
import { compilePattern, type Pattern } from './engine.ts'
import { KeywordAutomaton } from './keyword-automaton.ts'
import { PackData, type RuleData, type View } from './pack.ts'
import type { PackTexts } from './pack-texts.ts'

export type CompiledRule = RuleData & {
  category: Category
  compiled: Pattern | null
  allowed: Pattern[]
}

export type CompiledPack = {
  category: Category
  version: string
  contexts: PackData['contexts']
  thresholds: PackData['thresholds']
}

/** `rendered` is raw text without its markup, in which only secrets are looked for. */
export type Reading = View | 'rendered'

export type CompiledRules = {
  /** Names the whole set: each pack's version and a digest of all bytes. */
  version: string
  packs: ReadonlyMap<Category, CompiledPack>
  rules: readonly CompiledRule[]
  automaton: KeywordAutomaton
  /** For each keyword of the automaton the rules in force that it begins, by the view they read. */
  byKeyword: readonly ({ keyword: string } & Record<Reading, readonly number[]>)[]
  models: ReadonlyMap<Category, LinearModel>
  /** SHA-256 of credentials that documentation publishes as samples. */
  samples: ReadonlySet<string>
  /** Words taken for known when text is put back together. */
  words: KnownWords
}

const Samples = z.strictObject({ sha256: z.array(z.string().length(64)) })
const Words = z.strictObject({ words: z.array(z.string().regex(/\D/)) })

/**
 * Validates and compiles every pack. Throws with the reason where one does not hold; that its rules
 * find what they should is for `loading/` to see.
 */
export function compileRules(texts: PackTexts): CompiledRules {
  const digest = createHash('sha256')
  const packs = new Map<Category, CompiledPack>()
  const rules: CompiledRule[] = []
  for (const [name, text] of withEnding(texts, '.pack.json')) {
    digest.update(text)
    const data = parse(PackData, text, name)
    if (packs.has(data.pack)) throw new Error(`${name}: a second pack named ${data.pack}`)
    packs.set(data.pack, {
      category: data.pack,
      version: data.version,
      contexts: data.contexts,
      thresholds: data.thresholds,
    })
    for (const rule of data.rules) rules.push(compileRule(rule, data.pack, name))
  }
  if (packs.size === 0) throw new Error('there are no packs')
  checkUnique(rules)
  const models = compileModels(texts, digest)
  const samples = new Set(parseOne(Samples, texts, 'samples.json', digest)?.sha256 ?? [])
  const words = new KnownWords(parseOne(Words, texts, 'words.json', digest)?.words ?? [])
  const { automaton, byKeyword } = indexKeywords(rules)
  const versions = [...packs.values()].map((pack) => `${pack.category}@${pack.version}`).join('+')
  const version = `${versions}#${digest.digest('hex').slice(0, 12)}`
  return { version, packs, rules, automaton, byKeyword, models, samples, words }
}

function compileRule(rule: RuleData, category: Category, file: string): CompiledRule {
  const compile = (source: string) => {
    try {
      return compilePattern(source)
    } catch (error) {
      throw new Error(`${file}: ${rule.id}: ${source}: ${String(error)}`)
    }
  }
  if (rule.matcher !== 'measure' && (rule.pattern === undefined || rule.keywords.length === 0)) {
    throw new Error(`${file}: ${rule.id} needs keywords and a pattern`)
  }
  return {
    ...rule,
    category,
    compiled: rule.pattern === undefined ? null : compile(rule.pattern),
    allowed: rule.allow.map(compile),
  }
}

function checkUnique(rules: readonly CompiledRule[]): void {
  const seen = new Set<string>()
  for (const { id } of rules) {
    if (seen.has(id)) throw new Error(`two rules named ${id}`)
    seen.add(id)
  }
}

function indexKeywords(rules: readonly CompiledRule[]) {
  const index = new Map<string, number[]>()
  rules.forEach((rule, position) => {
    for (const keyword of rule.keywords) {
      const lower = keyword.toLowerCase()
      index.set(lower, [...(index.get(lower) ?? []), position])
    }
  })
  const reading = (positions: readonly number[], view: View) =>
    positions.filter((position) => {
      const rule = rules[position]
      return rule !== undefined && rule.status !== 'shadow' && rule.views.includes(view)
    })
  const byKeyword = [...index].map(([keyword, positions]) => {
    const raw = reading(positions, 'raw')
    const rendered = raw.filter((position) => rules[position]?.category === 'secret')
    return { keyword, raw, rendered, folded: reading(positions, 'folded') }
  })
  return { automaton: new KeywordAutomaton(byKeyword.map((entry) => entry.keyword)), byKeyword }
}

type Digest = ReturnType<typeof createHash>

/** In the order of their names, which the digest depends on. */
function withEnding(texts: PackTexts, ending: string): [name: string, text: string][] {
  return Object.entries(texts)
    .filter(([name]) => name.endsWith(ending))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function compileModels(texts: PackTexts, digest: Digest): Map<Category, LinearModel> {
  const models = new Map<Category, LinearModel>()
  for (const [name, text] of withEnding(texts, '.model.json')) {
    digest.update(text)
    const data = parse(ModelData, text, name)
    models.set(data.category, compileModel(data))
  }
  return models
}

/** Benign texts that any rule set must let pass. */
export function canariesOf(texts: PackTexts): string[] {
  const Canaries = z.strictObject({ benign: z.array(z.string().min(1)) })
  return parseOne(Canaries, texts, 'canaries.json')?.benign ?? []
}

function parseOne<T>(
  schema: z.ZodType<T>,
  texts: PackTexts,
  name: string,
  digest?: Digest,
): T | null {
  const text = texts[name]
  if (text === undefined) return null
  digest?.update(text)
  return parse(schema, text, name)
}

function parse<T>(schema: z.ZodType<T>, text: string, name: string): T {
  const parsed = schema.safeParse(readJson(text, name))
  if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

function readJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`)
  }
}

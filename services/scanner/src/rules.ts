import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { checkExamples } from './check-examples.ts'
import { compilePattern, type Pattern } from './engine.ts'
import { KeywordAutomaton } from './keyword-automaton.ts'
import { KnownWords } from './known-words.ts'
import { compileModel, type LinearModel, ModelData } from './linear-model.ts'
import { PackData, type RuleData, type View } from './pack.ts'
import type { Category } from './types.ts'

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

export type CompiledRules = {
  /** Names the whole set: each pack's version and a digest of all bytes. */
  version: string
  packs: ReadonlyMap<Category, CompiledPack>
  rules: readonly CompiledRule[]
  automaton: KeywordAutomaton
  /** For each keyword of the automaton the rules in force that it begins, by the view they read. */
  byKeyword: readonly ({ keyword: string } & Record<View, readonly number[]>)[]
  models: ReadonlyMap<Category, LinearModel>
  /** SHA-256 of credentials that documentation publishes as samples. */
  samples: ReadonlySet<string>
  /** Words taken for known when text is put back together. */
  words: KnownWords
}

const Samples = z.strictObject({ sha256: z.array(z.string().length(64)) })
const Words = z.strictObject({ words: z.array(z.string().regex(/\D/)) })

/**
 * Reads, validates and compiles every pack of a folder, then runs each rule's own examples and the
 * benign canaries. Throws with the reason, and nothing is loaded, when any of it fails.
 */
export function loadRules(dir: string): CompiledRules {
  const rules = compileRules(dir)
  checkExamples(rules, readCanaries(dir))
  return rules
}

/** The same without the examples, for tools that measure rules which are still being written. */
export function compileRules(dir: string): CompiledRules {
  const digest = createHash('sha256')
  const packs = new Map<Category, CompiledPack>()
  const rules: CompiledRule[] = []
  for (const name of readdirSync(dir)
    .filter((file) => file.endsWith('.pack.json'))
    .sort()) {
    const bytes = readFileSync(join(dir, name), 'utf8')
    digest.update(bytes)
    const data = parse(PackData, bytes, name)
    if (packs.has(data.pack)) throw new Error(`${name}: a second pack named ${data.pack}`)
    packs.set(data.pack, {
      category: data.pack,
      version: data.version,
      contexts: data.contexts,
      thresholds: data.thresholds,
    })
    for (const rule of data.rules) rules.push(compileRule(rule, data.pack, name))
  }
  if (packs.size === 0) throw new Error(`no packs in ${dir}`)
  checkUnique(rules)
  const models = readModels(dir, digest)
  const samples = new Set(readJson(Samples, dir, 'samples.json', digest)?.sha256 ?? [])
  const words = new KnownWords(readJson(Words, dir, 'words.json', digest)?.words ?? [])
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
  const byKeyword = [...index].map(([keyword, positions]) => ({
    ...{ keyword, raw: reading(positions, 'raw'), folded: reading(positions, 'folded') },
  }))
  return { automaton: new KeywordAutomaton(byKeyword.map((entry) => entry.keyword)), byKeyword }
}

type Digest = ReturnType<typeof createHash>

function readModels(dir: string, digest: Digest): Map<Category, LinearModel> {
  const models = new Map<Category, LinearModel>()
  for (const name of readdirSync(dir)
    .filter((file) => file.endsWith('.model.json'))
    .sort()) {
    const bytes = readFileSync(join(dir, name), 'utf8')
    digest.update(bytes)
    const data = parse(ModelData, bytes, name)
    models.set(data.category, compileModel(data))
  }
  return models
}

/** Benign texts that any rule set must let pass. */
export function readCanaries(dir: string): string[] {
  const Canaries = z.strictObject({ benign: z.array(z.string().min(1)) })
  return readJson(Canaries, dir, 'canaries.json')?.benign ?? []
}

function readJson<T>(schema: z.ZodType<T>, dir: string, name: string, digest?: Digest): T | null {
  if (!readdirSync(dir).includes(name)) return null
  const bytes = readFileSync(join(dir, name), 'utf8')
  digest?.update(bytes)
  return parse(schema, bytes, name)
}

function parse<T>(schema: z.ZodType<T>, bytes: string, name: string): T {
  const parsed = schema.safeParse(JSON.parse(bytes))
  if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

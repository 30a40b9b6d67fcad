import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Category } from '../types.ts'
import { KnownWords } from '../words/known-words.ts'
import { ModelData } from '../words/linear-model.ts'
import { StretchScorer } from '../words/stretch-scorer.ts'
import { Vocabulary } from '../words/vocabulary.ts'
import { withAnyBlanks } from './any-blanks.ts'
import { compilePattern, type Pattern } from './engine.ts'
import { indexKeywords, type Keyword } from './index-keywords.ts'
import type { KeywordSearch } from './keyword-search.ts'
import { PackData, type RuleData } from './pack.ts'
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

export type CompiledRules = {
  /** Names the whole set: the packs' versions and a digest of packs, models, samples and words. */
  version: string
  packs: ReadonlyMap<Category, CompiledPack>
  rules: readonly CompiledRule[]
  search: KeywordSearch
  /** For each keyword of the search, the rules in force that it concerns. */
  byKeyword: readonly Keyword[]
  /** SHA-256 of credentials that documentation publishes as samples. */
  samples: ReadonlySet<string>
  /** Words that count as known when text is put back together. */
  words: KnownWords
  /** The known words, and all words of the models. */
  vocabulary: Vocabulary
  scorer: StretchScorer
}

const Samples = z.strictObject({ sha256: z.array(z.string().length(64)) })
const Words = z.strictObject({ words: z.array(z.string().regex(/\D/)) })

/**
 * Validates and compiles every pack. Throws with the reason if one is invalid. Whether the rules
 * find what they should is checked in `loading/`.
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
  const models = readModels(texts, digest)
  const samples = new Set(parseOne(Samples, texts, 'samples.json', digest)?.sha256 ?? [])
  const known = parseOne(Words, texts, 'words.json', digest)?.words ?? []
  const words = new KnownWords(known)
  const vocabulary = new Vocabulary(known, models)
  const scorer = new StretchScorer(vocabulary)
  const { search, byKeyword } = indexKeywords(rules)
  const versions = [...packs.values()].map((pack) => `${pack.category}@${pack.version}`).join('+')
  const version = `${versions}#${digest.digest('hex').slice(0, 12)}`
  return { version, packs, rules, search, byKeyword, samples, words, vocabulary, scorer }
}

/** The same set with only these rules; each reads a text as it does in the whole set. */
export function only(set: CompiledRules, rules: readonly CompiledRule[]): CompiledRules {
  return { ...set, rules, ...indexKeywords(rules) }
}

/** Drops what the engine remembers of earlier texts; the rules find the same without it. */
export function forgetTexts({ rules }: CompiledRules): void {
  for (const { compiled, allowed } of rules) {
    compiled?.forget()
    for (const pattern of allowed) pattern.forget()
  }
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
  if (rule.requires.length > 0 && rule.matcher !== 'token' && rule.matcher !== 'pattern') {
    throw new Error(`${file}: ${rule.id} has no windows that \`requires\` could rule out`)
  }
  const isWording = rule.views.includes('folded')
  // Spelled out, so that all rules have one shape, for which the code that reads them is compiled.
  return {
    id: rule.id,
    version: rule.version,
    status: rule.status,
    severity: rule.severity,
    matcher: rule.matcher,
    group: rule.group,
    keywords: rule.keywords,
    pattern: rule.pattern,
    requires: rule.requires,
    before: rule.before,
    after: rule.after,
    entropy: rule.entropy,
    right: rule.right,
    left: rule.left,
    next: rule.next,
    negatable: rule.negatable,
    keepable: rule.keepable,
    validator: rule.validator,
    supports: rule.supports,
    allow: rule.allow,
    views: rule.views,
    contexts: rule.contexts,
    score: rule.score,
    why: rule.why,
    fix: rule.fix,
    references: rule.references,
    examples: rule.examples,
    category,
    compiled:
      rule.pattern === undefined
        ? null
        : compile(isWording ? withAnyBlanks(rule.pattern) : rule.pattern),
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

type Digest = ReturnType<typeof createHash>

/** The files with an ending, sorted by name, because the digest depends on their order. */
function withEnding(texts: PackTexts, ending: string): [name: string, text: string][] {
  return Object.entries(texts)
    .filter(([name]) => name.endsWith(ending))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function readModels(texts: PackTexts, digest: Digest): ModelData[] {
  return withEnding(texts, '.model.json').map(([name, text]) => {
    digest.update(text)
    return parse(ModelData, text, name)
  })
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

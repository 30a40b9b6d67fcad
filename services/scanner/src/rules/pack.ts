import { RuleCategory, Severity } from '@stoa/shared/contracts/verdicts.js'
import { z } from 'zod'
import { joinParts, withParts } from './parts.ts'

/** A text in one piece, or in parts joined at load so that no whole live-looking key is stored. */
export const StoredText = z.union([
  z.string().min(1),
  z
    .array(z.string())
    .min(1)
    .transform((parts) => parts.join('')),
])

const Examples = z.strictObject({
  hits: z.array(StoredText).min(1),
  misses: z.array(StoredText).min(1),
  discussions: z.array(StoredText).default([]),
})

/** The text that a rule reads: as it was written, or normalised and in lower case. */
const View = z.enum(['raw', 'folded'])
export type View = z.output<typeof View>

/** `rendered` is raw text without its markup, in which only secrets are looked for. */
export type Reading = View | 'rendered'

/** How a rule looks for its matches; the service's README says what each matcher finds. */
const Matcher = z.enum(['token', 'assigned', 'pattern', 'measure'])

const Multiplier = z.number().min(0).max(2)

/** Factors for a score, by context; a pack without `bare_quote` uses `quote` for it. */
const Multipliers = z.strictObject({
  prose: Multiplier,
  about: Multiplier,
  code: Multiplier,
  quote: Multiplier,
  bare_quote: Multiplier.optional(),
  hidden: Multiplier,
})

export const RuleData = z.strictObject({
  id: z.string().regex(/^[a-z_]+(\.[a-z0-9-]+)+$/),
  version: z.int().min(1),
  status: z.enum(['shadow', 'flag', 'enforce']),
  severity: Severity,
  matcher: Matcher,
  group: z.string().min(1).optional(),
  keywords: z.array(z.string().min(1).max(60)).default([]),
  pattern: z.string().min(1).max(4000).optional(),
  /** Lists of texts; every match holds one text of each, so a window that lacks one is skipped. */
  requires: z.array(z.array(z.string().min(1).max(60)).min(1)).default([]),
  before: z.int().min(0).max(2000).default(60),
  after: z.int().min(1).max(4000).default(300),
  entropy: z.number().min(0).max(6).default(0),
  right: z.enum(['word', 'token', 'none']).default('word'),
  left: z.enum(['word', 'none']).default('word'),
  /** `token`: a keyword counts only if a letter, a digit, `-` or `_` follows it at once. */
  next: z.enum(['token', 'any']).default('any'),
  /** The match means nothing after a negation: `never send your key`. */
  negatable: z.boolean().default(false),
  /** A match means nothing if its sentence says where a key belongs: `paste your key into .env`. */
  keepable: z.boolean().default(false),
  validator: z.string().min(1).optional(),
  /** The rule means nothing alone: it is looked for only near hits of other rules of its pack. */
  supports: z.boolean().default(false),
  allow: z.array(z.string()).default([]),
  views: z.array(View).min(1).default(['raw']),
  contexts: Multipliers.partial().default({}),
  score: z.number().min(0).max(1),
  why: z.string().min(10),
  fix: z.string().min(10),
  references: z.array(z.string()).default([]),
  examples: Examples,
})

const Pack = z.strictObject({
  pack: RuleCategory,
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  contexts: Multipliers,
  thresholds: z.strictObject({
    flag: z.number(),
    quarantine: z.number(),
    block: z.number(),
  }),
  /** Pieces of patterns that several rules share, by name, each as a list of alternatives. */
  parts: z.record(z.string().regex(/^[a-z-]+$/), z.array(z.string().min(1)).min(1)).default({}),
  rules: z.array(RuleData).min(1),
})

/** A pack, with the parts in the places where its patterns name them. */
export const PackData = Pack.transform((pack, context) => {
  try {
    const parts = joinParts(pack.parts)
    const rules = pack.rules.map((rule) => ({
      ...rule,
      pattern: rule.pattern && withParts(rule.pattern, parts),
      allow: rule.allow.map((pattern) => withParts(pattern, parts)),
    }))
    return { ...pack, rules }
  } catch (error) {
    context.addIssue((error as Error).message)
    return z.NEVER
  }
})

export type RuleData = z.output<typeof RuleData>
export type PackData = z.output<typeof PackData>

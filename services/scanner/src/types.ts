import type { Redaction } from '@stoa/shared/contracts/scans.js'
import {
  type RuleCategory,
  type Severity,
  type UNREAD,
  Verdict,
} from '@stoa/shared/contracts/verdicts.js'

/** The mildest first. */
export const VERDICTS: readonly Verdict[] = Verdict.options

export type Category = RuleCategory | typeof UNREAD

/** The light in which words stand; nothing around a `bare_quote` introduces or discusses it. */
export type Context = 'prose' | 'about' | 'code' | 'quote' | 'bare_quote' | 'hidden'

/** The texts of one item, by the names of their fields. */
export type ItemTexts = Record<string, string>

/** `start` and `end` count code points. */
export type Finding = {
  rule: string
  rule_version: number
  category: Category
  severity: Severity
  action: Verdict
  field: string
  start: number
  end: number
  redacted_excerpt: string
  decode_chain: string[]
  /** Where it was found in what the text says once decoded: that, marked, with some of it on either side. */
  decoded?: string
  why: string
  fix: string
  context: Context
  score: number
}

export type ScanResult = {
  verdict: Verdict
  pack: string
  categories: Category[]
  findings: Finding[]
  redactions: Redaction[]
  key_hashes: string[]
}

export type WriterFinding = Pick<Finding, 'category' | 'field' | 'why' | 'fix'> &
  Partial<Pick<Finding, 'rule' | 'start' | 'end' | 'redacted_excerpt' | 'decode_chain'>>

export function worst(left: Verdict, right: Verdict): Verdict {
  return VERDICTS.indexOf(left) >= VERDICTS.indexOf(right) ? left : right
}

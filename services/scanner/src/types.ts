import type { FullFinding, Redaction } from '@stoa/shared/contracts/scans.js'
import { type RuleCategory, type UNREAD, Verdict } from '@stoa/shared/contracts/verdicts.js'

/** All verdicts, the mildest first. */
export const VERDICTS: readonly Verdict[] = Verdict.options

export type Category = RuleCategory | typeof UNREAD

/** The context of words; nothing around a `bare_quote` introduces or discusses it. */
export type Context = 'prose' | 'about' | 'code' | 'quote' | 'bare_quote' | 'hidden'

/** The texts of one item, by the names of their fields. */
export type ItemTexts = Record<string, string>

export type Finding = FullFinding & { rule_version: number; category: Category; context: Context }

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

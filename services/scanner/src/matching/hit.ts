import type { Severity, Verdict } from '@stoa/shared/contracts/verdicts.js'
import type { FieldText } from '../reading/field.ts'
import type { Layer } from '../reading/layer.ts'
import type { CompiledRule } from '../rules/compile-rules.ts'
import type { Category, Context } from '../types.ts'

/** Hits of one category that begin so near one another, in UTF-16 units, are weighed together. */
export const CLUSTER_LENGTH = 700

/** A rule's match in a field: UTF-16 offsets of the field as written, and what it is worth there. */
export type Hit = {
  rule: HitRule
  field: FieldText
  start: number
  end: number
  chain: readonly string[]
  /** Where it was read; unknown where two fields were read as one. */
  read?: { layer: Layer; start: number; end: number }
  context: Context
  score: number
  /** The matched text is a credential: its exact place is reported for overwriting. */
  secret?: string
  /** An upper bound this hit alone may reach, whatever its score. */
  cap: Verdict
}

/** What a hit needs of its rule; measures that are not data rules provide the same. */
export type HitRule = {
  id: string
  version: number
  category: Category
  severity: Severity
  group: string
  why: string
  fix: string
}

export function hitRule(rule: CompiledRule): HitRule {
  const { id, version, category, severity, why, fix } = rule
  return { id, version, category, severity, group: rule.group ?? rule.id, why, fix }
}

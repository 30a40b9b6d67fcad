import type { Severity, Verdict } from '@stoa/shared/contracts/verdicts.js'
import type { FieldText } from '../reading/field.ts'
import type { Layer } from '../reading/layer.ts'
import type { CompiledRule } from '../rules/compile-rules.ts'
import type { Category, Context } from '../types.ts'

/** Hits of one category are weighed together if they begin within this many UTF-16 units. */
export const CLUSTER_LENGTH = 700

/** A rule's match in a field, as UTF-16 offsets into the field as written, and its score there. */
export type Hit = {
  rule: HitRule
  field: FieldText
  start: number
  end: number
  chain: readonly string[]
  /** The layer and range in which the match was read; unknown if two fields were read as one. */
  read?: { layer: Layer; start: number; end: number }
  context: Context
  score: number
  /** The matched text is a credential: its exact place is reported for overwriting. */
  secret?: string
  /** The strictest verdict that this hit may cause alone, whatever its score. */
  cap: Verdict
}

/** The part of a rule that a hit needs; measures, which are not data rules, provide it too. */
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

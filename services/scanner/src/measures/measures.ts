import type { Hit } from '../matching/hit.ts'
import type { FieldText } from '../reading/field.ts'
import type { CompiledRules } from '../rules/compile-rules.ts'
import { measureObfuscation } from './obfuscation.ts'
import { measureStatistics } from './statistics.ts'

/** Hits measured over a text rather than matched in it: word statistics and obfuscation. */
export function measureField(field: FieldText, rules: CompiledRules): Hit[] {
  return [...measureStatistics(field, rules), ...measureObfuscation(field)]
}

import { type Light, lightOn } from './context.ts'
import type { FieldText } from './field.ts'
import type { Hit } from './hit.ts'
import type { Layer } from './layer.ts'
import { measureObfuscation } from './measures/obfuscation.ts'
import { measureStatistics } from './measures/statistics.ts'
import type { CompiledRules } from './rules.ts'

/** What is measured over a text rather than matched in it: learned word statistics, obfuscation. */
export function measureField(field: FieldText, rules: CompiledRules): Hit[] {
  const lightOf: LightOf = (layer, range) => lightOn(field, layer, range)
  return [...measureStatistics(field, rules, lightOf), ...measureObfuscation(field)]
}

export type LightOf = (layer: Layer, range: readonly [number, number]) => Light

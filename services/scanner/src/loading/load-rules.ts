import { type CompiledRules, canariesOf, compileRules } from '../rules/compile-rules.ts'
import { type PackTexts, readPackTexts } from '../rules/pack-texts.ts'
import { checkExamples } from './check-examples.ts'

/** Reads a folder of packs, compiles and checks them. Throws as `compileChecked` does. */
export function loadRules(dir: string): CompiledRules {
  return compileChecked(readPackTexts(dir))
}

/**
 * Validates and compiles every pack, then runs each rule's own examples and the benign canaries.
 * Throws with the reason if a pack is invalid or an example or canary fails.
 */
export function compileChecked(texts: PackTexts): CompiledRules {
  const rules = compileRules(texts)
  checkExamples(rules, canariesOf(texts))
  return rules
}

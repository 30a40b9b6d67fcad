import type { CompiledRules } from '../rules/compile-rules.ts'
import type { PackTexts } from '../rules/pack-texts.ts'
import { compileChecked } from './load-rules.ts'

type ReloadOutcome = { swapped: boolean; version: string; error?: Error }

/**
 * The rule set in force. A reload validates, compiles and runs all examples and canaries of the new
 * set before a single assignment puts it in force; on any failure the old set stays.
 */
export class RuleStore {
  private rules: CompiledRules

  /** Throws when the first set does not hold: without rules nothing may be scanned. */
  constructor(texts: PackTexts) {
    this.rules = compileChecked(texts)
  }

  current(): CompiledRules {
    return this.rules
  }

  /** Throws away what the matchers remember of the texts they saw: they find the same without it. */
  forget(): void {
    for (const rule of this.rules.rules) rule.compiled?.renew()
  }

  reload(texts: PackTexts): ReloadOutcome {
    // Both sets are held until the new one is proven, and what the old one remembers is as large as itself.
    this.forget()
    try {
      this.rules = compileChecked(texts)
      return { swapped: true, version: this.rules.version }
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      return { swapped: false, version: this.rules.version, error }
    }
  }
}

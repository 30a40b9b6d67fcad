import { type CompiledRules, loadRules } from './rules.ts'

export type ReloadOutcome = { swapped: boolean; version: string; error?: Error }

/**
 * The rule set in force. A reload validates, compiles and runs all examples and canaries of the new
 * set before a single assignment puts it in force; on any failure the old set stays.
 */
export class RuleStore {
  private rules: CompiledRules
  private readonly dir: string
  private readonly onFailure: (error: Error) => void

  /** Throws when the first set does not load: without rules nothing may be scanned. */
  constructor(dir: string, onFailure: (error: Error) => void) {
    this.dir = dir
    this.onFailure = onFailure
    this.rules = loadRules(dir)
  }

  current(): CompiledRules {
    return this.rules
  }

  reload(): ReloadOutcome {
    try {
      this.rules = loadRules(this.dir)
      return { swapped: true, version: this.rules.version }
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      this.onFailure(error)
      return { swapped: false, version: this.rules.version, error }
    }
  }
}

import { type CompiledRules, compileRules } from '../rules/compile-rules.ts'
import { readPackTexts } from '../rules/pack-texts.ts'
import { packsDir } from '../rules/packs-dir.ts'
import { scan } from '../scan.ts'
import type { ScanResult } from '../types.ts'

let rules: CompiledRules | undefined

/** The shipped rules, compiled once for all tests of a process. */
export function shippedRules(): CompiledRules {
  rules ??= compileRules(readPackTexts(packsDir()))
  return rules
}

export function scanText(text: string): ScanResult {
  return scan({ body_md: text }, shippedRules())
}

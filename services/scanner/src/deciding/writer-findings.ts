import type { Category, Finding, ScanResult, WriterFinding } from '../types.ts'

const NO_ORACLE: ReadonlySet<Category> = new Set<Category>(['injection', 'lure', 'obfuscation'])

/** Findings for the writer: for injection, lures and obfuscation only the class, not the place. */
export function writerFindings(result: Pick<ScanResult, 'findings'>): WriterFinding[] {
  const seen = new Set<string>()
  const shown: WriterFinding[] = []
  for (const finding of result.findings) {
    const item = forWriter(finding)
    const identity = JSON.stringify(item)
    if (seen.has(identity)) continue
    seen.add(identity)
    shown.push(item)
  }
  return shown
}

function forWriter(finding: Finding): WriterFinding {
  const { category, field, why, fix } = finding
  if (NO_ORACLE.has(category)) return { category, field, why, fix }
  const { rule, start, end, redacted_excerpt, decode_chain } = finding
  return { rule, category, field, start, end, redacted_excerpt, decode_chain, why, fix }
}

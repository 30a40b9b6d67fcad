import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { scanText as contract } from '@stoa/shared/contracts/scans.js'
import { flatTexts } from '@stoa/shared/texts/flat-texts.js'
import { writerFindings } from '../deciding/writer-findings.ts'
import type { ScannerDeps } from '../deps.ts'

/** A dry run for a writer: returns the verdict that the text would get, and stores nothing. */
export async function scanText(
  deps: ScannerDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { kind: _, ...document } = input
  const result = await deps.scan(flatTexts(document))
  return reply({
    object: 'scan',
    verdict: result.verdict,
    pack: result.pack,
    findings: writerFindings(result),
  })
}

import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { CaseVerdict, SubmissionTexts } from '@stoa/shared/contracts/scans.js'
import type { ScannerDeps } from '../deps.ts'
import { judge } from '../judge.ts'

/** The verdict on a text that is about to be stored. */
export async function scanSubmission(
  deps: ScannerDeps,
  input: SubmissionTexts,
): Promise<Reply<CaseVerdict>> {
  return reply(await judge(deps.scan, input))
}

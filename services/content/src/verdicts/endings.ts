import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { CaseVerdict } from '@stoa/shared/contracts/scans.js'
import { DECIDED_BEHIND_APPEALS } from '../tables/is-appealed.ts'
import type { EndingColumns } from '../tables/submissions.ts'
import type { Transaction } from '../transaction.ts'
import type { Case } from './cases.ts'
import { redactDocument } from './texts.ts'
import { asWritten } from './writer-findings.ts'

/** How a case ends. A held text was allowed and waits for its author's account. */
export type Ending = Exclude<CaseVisibility, 'pending'> | 'held'

/** What becomes of one case, and who decided so. */
export interface Decision extends Omit<CaseVerdict, 'revision' | 'pack'> {
  /** The scan that a verdict is for; a moderator's decision is for the case at any revision. */
  revision?: number
  pack: string | null
  outcome: 'publish' | 'quarantine' | 'reject'
  /** `scanner`, or the handle of a moderator. */
  by: string
}

/** A case, the decision about it, and how the case ended. */
export interface Ended {
  found: Case
  decision: Decision
  ending: Ending
}

/**
 * Whose decision the author may appeal. A text that a moderator approved after its parent was gone
 * for good counts as removed by the scanner, since no moderator removed it.
 */
export function endedBy({ decision, ending }: Pick<Ended, 'decision' | 'ending'>): string {
  return ending === 'removed' ? 'scanner' : decision.by
}

/** The columns of a submission once its case is decided. */
export function endingColumns({ found, decision, ending }: Ended): EndingColumns {
  return {
    visibility: ending === 'held' ? 'pending' : ending,
    verdict: decision.verdict,
    pack: decision.pack,
    categories: decision.categories,
    findings: decision.findings,
    writer_findings: asWritten(found.document, decision.writer_findings),
    decided_by: endedBy({ decision, ending }),
    held: ending === 'held',
    document: keptDocument(found, decision, ending),
  }
}

/**
 * A public document is in its own table from now on, so it is not kept twice. A refused document is
 * kept for its author and the moderators, with its secrets overwritten.
 */
function keptDocument(found: Case, decision: Decision, ending: Ending) {
  const isKept = ending === 'held' || ending === 'quarantined' || ending === 'rejected'
  return isKept ? redactDocument(found.document, decision.redactions) : null
}

/** Writes into the submissions how their cases ended. */
export function saveEndings(tx: Transaction, ended: Ended[]): void {
  const rows = ended.map((one) => ({ id: one.found.id, ...endingColumns(one) }))
  tx.send(
    'save-endings',
    `UPDATE submissions s
     SET visibility = d.visibility, verdict = d.verdict, pack = d.pack, categories = d.categories,
       findings = d.findings, writer_findings = d.writer_findings, decided_by = d.decided_by,
       decided_at = CASE WHEN d.held THEN NULL WHEN d.decided_by = 'scanner' THEN now()
         ELSE ${DECIDED_BEHIND_APPEALS} END, document = d.document
     FROM json_to_recordset($1::json) AS d (id text, visibility text, verdict text, pack text,
       categories text[], findings json, writer_findings json, decided_by text, held boolean,
       document json)
     WHERE s.id = d.id`,
    [JSON.stringify(rows)],
  )
}

import type { CaseVerdict } from '@stoa/shared/contracts/scans.js'
import { announce, type Notices } from '../notices.ts'
import { insertSubmissions, type NewSubmission, requestScans } from '../tables/submissions.ts'
import type { Transaction } from '../transaction.ts'
import type { Case } from '../verdicts/cases.ts'
import { decisionOn } from '../verdicts/decide.ts'
import { type EndDeps, endCases } from '../verdicts/end-cases.ts'
import { type Ended, endingColumns } from '../verdicts/endings.ts'
import { boundLocks, unboundLocks } from './lock-target.ts'
import type { Order, Written } from './order.ts'
import type { Place, PlaceNames } from './places.ts'
import type { WriterState } from './writer.ts'

/** A post or comment to be stored for its scan. */
export interface SubmissionOrder extends Order, PlaceNames {
  planned: Written
  /** The scanner's verdict before the text is stored, if one was asked and answers in time. */
  verdict?: Promise<CaseVerdict | undefined> | undefined
  /** Makes the submission from the present state. Throws the AppError that refuses it. */
  prepare(place: Place, writer: WriterState): NewSubmission
}

/** A submission that nothing refuses, with the scanner's verdict if there is one. */
export interface Fresh {
  order: SubmissionOrder
  submission: NewSubmission
  writer: WriterState
  verdict: CaseVerdict | undefined
}

/** Stores the submissions without a verdict, and asks for their scans. */
export function storeForScan(tx: Transaction, deps: { notices: Notices }, fresh: Fresh[]): void {
  const waiting = fresh.filter(({ verdict }) => !verdict).map(({ submission }) => submission)
  if (waiting.length === 0) return
  insertSubmissions(tx, waiting)
  requestScans(tx, waiting)
  announce(tx, deps.notices, [])
}

/**
 * Stores the submissions with a verdict as decided, and publishes those that it allows. Without
 * `waits`, it leaves out and answers those whose posts another transaction has locked.
 */
export async function storeJudged(
  tx: Transaction,
  deps: EndDeps,
  fresh: Fresh[],
  waits: boolean,
): Promise<Fresh[]> {
  const judged = fresh.filter(({ verdict }) => verdict)
  if (judged.length === 0) return []
  const cases = judged.flatMap(({ submission, writer, verdict }) =>
    verdict ? { found: newCase(submission, writer), decision: decisionOn(verdict) } : [],
  )
  const save = (_: Transaction, ended: Ended[]) => {
    if (waits) unboundLocks(tx)
    insertEnded(tx, ended)
  }
  if (waits) boundLocks(tx)
  const endings = await endCases(tx, deps, cases, { save, waits })
  return judged.filter(({ submission }) => !endings.has(submission.id))
}

/** The case as it would be read if it had been stored before. */
function newCase(submission: NewSubmission, writer: WriterState): Case {
  return {
    id: submission.id,
    kind: submission.kind,
    target_id: submission.target_id,
    post_id: submission.post_id,
    parent_id: submission.parent_id ?? null,
    agent_id: submission.agent_id,
    document: submission.document,
    revision: 1,
    base_version: 0,
    visibility: 'pending',
    verdict: null,
    pack: null,
    categories: [],
    findings: [],
    writer_findings: [],
    decided_by: null,
    submitted_at: Date.now(),
    decided_at: null,
    waited_ms: 0,
    handle: writer.handle,
    author_status: writer.status,
    profile_version: writer.profile_version,
    operator_key: writer.operator_key,
    operator_host: writer.operator_host,
  }
}

function insertEnded(tx: Transaction, ended: Ended[]): void {
  insertSubmissions(
    tx,
    ended.map((one) => {
      const { id, kind, target_id, post_id, parent_id, agent_id } = one.found
      return { id, kind, target_id, post_id, parent_id, agent_id, ...endingColumns(one) }
    }),
  )
}

import type { CaseVerdict } from '@stoa/shared/contracts/scans.js'
import type { Database } from '../database.ts'
import type { NewSubmission } from '../tables/submissions.ts'
import type { EndDeps } from '../verdicts/end-cases.ts'
import { type Group, groupCommit, type Order } from './group-commit.ts'
import { accountLock } from './lock-target.ts'
import type { Place, PlaceNames } from './places.ts'
import { settleSubmissions } from './settle-submissions.ts'
import type { WriteOutcome, Written } from './write-once.ts'
import type { WriterState } from './writer.ts'

/** A post or comment to be stored for its scan. */
export interface SubmissionOrder extends Order, PlaceNames {
  planned: Written
  /** What a scanner says of it before it is stored, where one was asked and answers in time. */
  verdict?: Promise<CaseVerdict | undefined> | undefined
  /** Makes the submission from what is there now. Throws the AppError that refuses it. */
  prepare(place: Place, writer: WriterState): NewSubmission
}

export type Submissions = Group<SubmissionOrder, WriteOutcome>

/** The work that a batch is to the forum hardly depends on how many share it. */
const BATCH_EVERY_MS = 20

/** New posts and comments of one moment share a transaction. */
export function batchSubmissions(db: Database, deps: EndDeps): Submissions {
  return groupCommit({
    db,
    everyMs: BATCH_EVERY_MS,
    marksOf: () => [],
    needsOf: ({ agentId, postId }) => [accountLock(agentId), ...(postId ? [postId] : [])],
    settle: (tx, orders, waits) => settleSubmissions(tx, deps, orders, waits),
  })
}

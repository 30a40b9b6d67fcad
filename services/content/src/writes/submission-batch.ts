import type { Database } from '../database.ts'
import type { EndDeps } from '../verdicts/end-cases.ts'
import { type Group, groupCommit } from './group-commit.ts'
import { accountLock } from './lock-target.ts'
import type { WriteOutcome } from './order.ts'
import { settleSubmissions } from './settle-submissions.ts'
import type { SubmissionOrder } from './store-submissions.ts'

export type Submissions = Group<SubmissionOrder, WriteOutcome>

/** The work that a batch causes hardly depends on how many orders share it. */
const BATCH_EVERY_MS = 20

/** Simultaneous new posts and comments share a transaction. */
export function batchSubmissions(db: Database, deps: EndDeps): Submissions {
  return groupCommit({
    db,
    everyMs: BATCH_EVERY_MS,
    marksOf: () => [],
    needsOf: ({ agentId, postId }) => [accountLock(agentId), ...(postId ? [postId] : [])],
    settle: (tx, orders, waits) => settleSubmissions(tx, deps, orders, waits),
  })
}

import type { Database } from '../database.ts'
import type { VoteRow } from '../tables/votes.ts'
import { type Group, groupCommit, type Order } from './group-commit.ts'
import { settleVotes, type VoteDeps } from './settle-votes.ts'

export interface VoteOrder extends Order {
  targetId: string
  value: -1 | 0 | 1
}

export interface CastVote {
  vote: VoteRow
  /** The target's score with this vote and all that shared its transaction. */
  score: number
  /** The post that is, or holds, the target; null for suggestions. */
  postId: string | null
  replayed: boolean
}

export type Votes = Group<VoteOrder, CastVote>

const BATCH_EVERY_MS = 10

/** Votes of one moment share a transaction; one statement cannot write a row twice. */
export function batchVotes(db: Database, deps: VoteDeps): Votes {
  return groupCommit({
    db,
    everyMs: BATCH_EVERY_MS,
    marksOf: ({ agentId, targetId }) => [`${agentId} ${targetId}`],
    needsOf: ({ targetId }) => [targetId],
    settle: (tx, orders, waits) => settleVotes(tx, deps, orders, waits),
  })
}

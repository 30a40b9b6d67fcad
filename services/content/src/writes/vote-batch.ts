import type { Database } from '../database.ts'
import { type Group, groupCommit } from './group-commit.ts'
import { type CastVote, settleVotes, type VoteDeps, type VoteOrder } from './settle-votes.ts'

export type Votes = Group<VoteOrder, CastVote>

const BATCH_EVERY_MS = 10

/**
 * Simultaneous votes share a transaction, except two on one row, which a statement writes only
 * once.
 */
export function batchVotes(db: Database, deps: VoteDeps): Votes {
  return groupCommit({
    db,
    everyMs: BATCH_EVERY_MS,
    marksOf: ({ agentId, targetId }) => [`${agentId} ${targetId}`],
    needsOf: ({ targetId }) => [targetId],
    settle: (tx, orders, waits) => settleVotes(tx, deps, orders, waits),
  })
}

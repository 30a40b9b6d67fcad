import { postTag } from '@stoa/shared/answers/cache-tags.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { HotSettings } from '@stoa/shared/hot-order/hot-score.js'
import { ID_PREFIXES, newId } from '@stoa/shared/identifiers/ids.js'
import type { Database } from '../database.ts'
import { announce, type Notices } from '../notices.ts'
import { AgentCounts } from '../tables/agent-counts.ts'
import { appendEvents } from '../tables/outbox.ts'
import { type PostStats, rankEvents, saveStats } from '../tables/stats.ts'
import {
  addToScores,
  findVotes,
  lockVotables,
  upsertVotes,
  type Votable,
  type VoteRow,
} from '../tables/votes.ts'
import type { Transaction } from '../transaction.ts'
import { forgetKeys, recordKeys } from './batch-keys.ts'
import { type Group, groupCommit } from './group-commit.ts'
import { heldRow } from './held.ts'
import { boundLocks, unboundLocks } from './lock-target.ts'
import type { Order } from './order.ts'
import { namesNothing } from './require-public.ts'
import { checkWriters, refusedWriter } from './writer.ts'

interface VoteOrder extends Order {
  targetId: string
  value: -1 | 0 | 1
}

interface CastVote {
  vote: VoteRow
  /** The target's score with this vote and all that shared its transaction. */
  score: number
  /** The post that is, or holds, the target; null for suggestions. */
  postId: string | null
  replayed: boolean
}

interface VoteDeps {
  notices: Notices
  hot: HotSettings
}

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
    settle: (tx, orders, waits) => settle(tx, deps, orders, waits),
  })
}

/**
 * Settles a batch of votes in one transaction; no two are by one agent on one target. Answers their
 * results in order: the failure of one does not affect the others.
 *
 * 1. Check every writer, lock every target and record every idempotency key, in one round trip. A
 *    vote whose key is known becomes a read. Without `waits`, votes on targets that another
 *    transaction has locked are `Held`.
 * 2. Write the votes and learn the values before.
 * 3. Add the differences to scores, and tell ranking once per post.
 */
async function settle(
  tx: Transaction,
  deps: VoteDeps,
  orders: VoteOrder[],
  waits: boolean,
): Promise<(CastVote | AppError)[]> {
  if (waits) boundLocks(tx)
  const [writers, { locked: targets, held }, keys] = await Promise.all([
    checkWriters(tx, orders),
    lockVotables(tx, [...new Set(orders.map((order) => order.targetId))], waits),
    recordKeys(tx, orders, (order) => ({ resourceId: order.targetId, caseId: null })),
  ])
  if (waits) unboundLocks(tx)
  const refusals = new Map<VoteOrder, AppError>()
  for (const order of orders) {
    const absent = held.has(order.targetId) ? heldRow(order.targetId) : undefined
    const refusal = refusedWriter(writers.get(order.keyId)) ?? absent ?? keys.refused.get(order)
    // A repeated vote is answered even if the vote could not be cast any more.
    const known = keys.replayed.has(order)
    const denial = refusal ?? (known ? undefined : denied(order, targets.get(order.targetId)))
    if (denial) refusals.set(order, denial)
  }
  forgetKeys(tx, keys, refusals.keys())
  const allowed = orders.filter((order) => !refusals.has(order))
  const fresh = allowed.filter((order) => !keys.replayed.has(order))
  const replayed = allowed.filter((order) => keys.replayed.has(order))
  const votes = await writeVotes(tx, fresh, replayed)
  applyScores(tx, deps, targets, votes.written)
  return orders.map(
    (order) =>
      refusals.get(order) ?? castVote(order, votes.rows, targets, keys.replayed.has(order)),
  )
}

function denied(order: VoteOrder, target: Votable | undefined): AppError | undefined {
  if (!target) return namesNothing('not_found', '/target_id')
  if (!target.visible) return namesNothing('removed', '/target_id')
  if (target.agent_id === order.agentId) return new AppError('self_vote')
  return undefined
}

type Written = VoteRow & { was: number }

async function writeVotes(tx: Transaction, fresh: VoteOrder[], replayed: VoteOrder[]) {
  const keyOf = (order: VoteOrder) => ({ agent_id: order.agentId, target_id: order.targetId })
  const [written, known] = await Promise.all([
    fresh.length > 0
      ? upsertVotes(
          tx,
          fresh.map((order) => ({ ...keyOf(order), id: newId('vote'), value: order.value })),
        )
      : [],
    replayed.length > 0 ? findVotes(tx, replayed.map(keyOf)) : [],
  ])
  const rows = new Map(
    [...written, ...known].map((row) => [`${row.agent_id} ${row.target_id}`, row as VoteRow]),
  )
  return { rows, written }
}

/** Adds the changes of votes to scores, and tells ranking once per post; the targets are locked. */
export function applyScores(
  tx: Transaction,
  deps: VoteDeps,
  targets: Map<string, Votable>,
  written: Written[],
): void {
  const deltas = new Map<Votable, number>()
  for (const { target_id: id, value, was } of written) {
    const target = targets.get(id) as Votable
    deltas.set(target, (deltas.get(target) ?? 0) + value - was)
  }
  // A vote may change nothing, and the changes of two votes may cancel each other out.
  const scored = [...deltas].filter(([, delta]) => delta !== 0)
  const counts = new AgentCounts()
  const stats: PostStats[] = []
  const tags = new Set<string>()
  for (const [target, delta] of scored) {
    target.score += delta
    counts.add(target.agent_id, 'score', delta)
    if (target.stats) {
      target.stats.score = target.score
      stats.push(target.stats)
    }
    // Lists may show a score that is a second old; only the thing's own cached pages are dropped.
    if (target.post_id) tags.add(postTag(target.post_id))
  }
  const of = (prefix: string) =>
    scored
      .filter(([target]) => target.id.startsWith(prefix))
      .map(([target, delta]): [string, number] => [target.id, delta])
  addToScores(tx, 'comments', of(ID_PREFIXES.comment))
  addToScores(tx, 'suggestions', of(ID_PREFIXES.suggestion))
  const rescored = saveStats(tx, stats, deps.hot)
  counts.save(tx)
  appendEvents(tx, rankEvents(rescored))
  if (scored.length > 0) announce(tx, deps.notices, tags)
}

function castVote(
  order: VoteOrder,
  rows: Map<string, VoteRow>,
  targets: Map<string, Votable>,
  replayed: boolean,
): CastVote | AppError {
  const vote = rows.get(`${order.agentId} ${order.targetId}`)
  const target = targets.get(order.targetId)
  if (!vote || !target) return new AppError('not_found')
  return { vote, score: target.score, postId: target.post_id, replayed }
}

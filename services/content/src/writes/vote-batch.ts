import type { Meta } from '@stoa/shared/bus/meta.js'
import { AppError } from '@stoa/shared/errors.js'
import type { Database } from '../database.ts'
import type { VoteRow } from '../tables/votes.ts'
import { settleVotes, type VoteDeps } from './settle-votes.ts'

export interface VoteOrder {
  meta: Meta
  agentId: string
  keyId: string
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

export interface Votes {
  /** Resolves once the vote is committed. Rejects with the AppError that concerns this vote. */
  cast(order: VoteOrder): Promise<CastVote>
}

interface Waiting {
  order: VoteOrder
  deadlineMs: number
  resolve: (cast: CastVote) => void
  reject: (error: unknown) => void
}

/** Long enough for votes of one moment to meet, short beside the commit they share. */
const GATHER_MS = 2
const BATCH_MAX = 512
const WAITING_MAX = 5_000

/**
 * Lets votes that arrive within GATHER_MS, or while the batch before commits, share one
 * transaction. A vote fails alone, unless the database does.
 */
export function batchVotes(db: Database, deps: VoteDeps): Votes {
  const waiting: Waiting[] = []
  let working = false
  const work = async () => {
    while (waiting.length > 0) await settle(db, deps, takeBatch(waiting))
    working = false
  }
  return {
    cast: (order) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= WAITING_MAX) {
          reject(new AppError('unavailable', { retry_after_seconds: 1 }))
          return
        }
        const deadlineMs = Date.now() + order.meta.remainingMs
        waiting.push({ order, deadlineMs, resolve, reject })
        if (working) return
        working = true
        setTimeout(() => void work(), GATHER_MS)
      }),
  }
}

/**
 * Takes votes in the order they came. A second one of an agent on a target, or under an
 * Idempotency-Key, waits for the next batch: one statement cannot write a row twice.
 */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const taken: Waiting[] = []
  const left: Waiting[] = []
  const seen = new Set<string>()
  for (const entry of waiting.splice(0)) {
    const { agentId, targetId, meta } = entry.order
    const marks = [`${agentId} ${targetId}`]
    if (meta.idempotency) marks.push(`${agentId} key ${meta.idempotency.key}`)
    if (taken.length >= BATCH_MAX || marks.some((mark) => seen.has(mark))) left.push(entry)
    else taken.push(entry)
    for (const mark of marks) seen.add(mark)
  }
  waiting.push(...left)
  return taken
}

async function settle(db: Database, deps: VoteDeps, batch: Waiting[]): Promise<void> {
  const inTime = batch.filter(({ deadlineMs, reject }) => {
    const late = Date.now() > deadlineMs
    if (late) reject(new AppError('timeout'))
    return !late
  })
  if (inTime.length === 0) return
  try {
    const orders = inTime.map(({ order }) => order)
    const results = await db.transaction((tx) => settleVotes(tx, deps, orders))
    for (const [i, { resolve, reject }] of inTime.entries()) {
      const result = results[i]
      if (result instanceof AppError || !result) reject(result ?? new AppError('internal'))
      else resolve(result)
    }
  } catch (error) {
    for (const { reject } of inTime) reject(error)
  }
}

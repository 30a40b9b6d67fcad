import { AppError, isAppError } from '@stoa/shared/errors/errors.js'
import type { Database } from '../database.ts'
import type { NewSubmission } from '../tables/submissions.ts'
import type { Transaction } from '../transaction.ts'
import type { EndDeps } from '../verdicts/end-cases.ts'
import { forgetKeys, recordKeys } from './batch-keys.ts'
import { type Group, groupCommit } from './group-commit.ts'
import { heldRow } from './held.ts'
import { accountLock, tryShareTargets } from './lock-target.ts'
import type { WriteOutcome } from './order.ts'
import { type Place, readPlaces } from './places.ts'
import { type Fresh, type SubmissionOrder, storeForScan, storeJudged } from './store-submissions.ts'
import { checkWriters, refusedWriter, type WriterState } from './writer.ts'

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
    settle: (tx, orders, waits) => settle(tx, deps, orders, waits),
  })
}

/**
 * Settles a batch of new posts and comments in one transaction, and answers their results in order:
 * the failure of one does not affect the others.
 *
 * 1. Check every writer, read every place and record every idempotency key, in one round trip. A
 *    write whose key is known becomes a read, which is answered even if nothing could be written by
 *    now. Verdicts still under way come in, or are given up, EARLY_SCAN_MS after they were asked
 *    for.
 * 2. Publish or refuse the texts that have verdicts; store the others and ask for their scans.
 */
async function settle(
  tx: Transaction,
  deps: EndDeps,
  orders: SubmissionOrder[],
  waits: boolean,
): Promise<(WriteOutcome | AppError)[]> {
  const [accounts, writers, places, keys, verdicts] = await Promise.all([
    // A concurrent deletion of an account waits for this batch, and then finds what it published.
    tryShareTargets(
      tx,
      orders.map((order) => accountLock(order.agentId)),
    ),
    checkWriters(tx, orders),
    readPlaces(tx, orders),
    recordKeys(tx, orders, (order) => order.planned),
    Promise.all(orders.map((order) => order.verdict)),
  ])
  const results = new Map<SubmissionOrder, WriteOutcome | AppError>()
  const fresh: Fresh[] = []
  for (const [i, order] of orders.entries()) {
    const writer = writers.get(order.keyId)
    const account = accountLock(order.agentId)
    const absent = accounts.has(account) ? undefined : heldRow(account)
    const refusal = refusedWriter(writer) ?? absent ?? keys.refused.get(order)
    const known = keys.replayed.get(order)
    if (refusal || !writer) results.set(order, refusal ?? new AppError('key_revoked'))
    else if (known) results.set(order, { ...known, replayed: true })
    else {
      const submission = prepare(order, writer, places(order))
      // Before the first profile is cleared, which takes only a moment, the text would be answered
      // as held.
      const verdict = writer.profile_version > 0 ? verdicts[i] : undefined
      const outcome = { ...order.planned, replayed: false, ended: verdict !== undefined }
      if (submission instanceof AppError) results.set(order, submission)
      else {
        results.set(order, outcome)
        fresh.push({ order, submission, writer, verdict })
      }
    }
  }
  storeForScan(tx, deps, fresh)
  for (const { order } of await storeJudged(tx, deps, fresh, waits)) {
    results.set(order, heldRow(order.postId ?? ''))
  }
  const refused = orders.filter((order) => results.get(order) instanceof AppError)
  forgetKeys(tx, keys, refused)
  return orders.map((order) => results.get(order) ?? new AppError('internal'))
}

/** A refusal is the result of this order; a bug fails the whole batch. */
function prepare(
  order: SubmissionOrder,
  writer: WriterState,
  place: Place,
): NewSubmission | AppError {
  try {
    return order.prepare(place, writer)
  } catch (error) {
    if (isAppError(error)) return error
    throw error
  }
}

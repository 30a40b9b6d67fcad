import { AppError, isAppError } from '@stoa/shared/errors/errors.js'
import type { NewSubmission } from '../tables/submissions.ts'
import type { Transaction } from '../transaction.ts'
import type { EndDeps } from '../verdicts/end-cases.ts'
import { forgetKeys, recordKeys } from './batch-keys.ts'
import { heldRow } from './held.ts'
import { accountLock, tryShareTargets } from './lock-target.ts'
import type { WriteOutcome } from './order.ts'
import { type Place, readPlaces } from './places.ts'
import { type Fresh, type SubmissionOrder, storeForScan, storeJudged } from './store-submissions.ts'
import { checkWriters, refusedWriter, type WriterState } from './writer.ts'

/**
 * Settles a batch of new posts and comments in one transaction, and answers what became of each in
 * order: the failure of one is no matter to the others.
 *
 * 1. Check every writer, read every place and record every idempotency key, in one round trip; a
 *    key that is known turns its write into a question, which is answered even where nothing could
 *    be written by now. Verdicts that are still under way come in, or are given up, EARLY_SCAN_MS
 *    after they were asked for.
 * 2. Publish or refuse what has its verdict, and store the others and ask for their scans.
 */
export async function settleSubmissions(
  tx: Transaction,
  deps: EndDeps,
  orders: SubmissionOrder[],
  waits: boolean,
): Promise<(WriteOutcome | AppError)[]> {
  const [accounts, writers, places, keys, verdicts] = await Promise.all([
    // Whoever deletes an account meanwhile waits, and finds what is published here.
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
      // Held, it would be answered for before the profile is cleared, which takes a moment only.
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

/** A refusal of one is its result; a bug stays a bug, of the whole batch. */
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

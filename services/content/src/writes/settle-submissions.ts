import { AppError, isAppError } from '@stoa/shared/errors.js'
import type { Query, Transaction } from '../database.ts'
import { announce, type Notices } from '../notices.ts'
import { type NewSubmission, submitAll } from '../tables/submissions.ts'
import { forgetKeys, recordKeys } from './batch-keys.ts'
import { checkWriters, refusedWriter, type WriterState } from './batch-writers.ts'
import type { ParentComment, Place, SubmissionOrder } from './submission-batch.ts'
import type { WriteOutcome } from './write-once.ts'

/**
 * Settles a batch of new posts and comments in one transaction, and answers what became of each in
 * order: the failure of one is no matter to the others.
 *
 * 1. Check every writer, read every place and record every idempotency key, in one round trip; a
 *    key that is known turns its write into a question.
 * 2. Store the submissions and ask for their scans, together with COMMIT.
 */
export async function settleSubmissions(
  tx: Transaction,
  deps: { notices: Notices },
  orders: SubmissionOrder[],
): Promise<(WriteOutcome | AppError)[]> {
  const [writers, places, keys] = await Promise.all([
    checkWriters(tx, orders),
    readPlaces(tx, orders),
    recordKeys(tx, orders, (order) => order.planned),
  ])
  const results = new Map<SubmissionOrder, WriteOutcome | AppError>()
  const prepared = new Map<SubmissionOrder, NewSubmission>()
  for (const order of orders) {
    const submission = prepare(order, writers.get(order.keyId), places(order))
    if (submission instanceof AppError) results.set(order, submission)
    else prepared.set(order, submission)
  }
  forgetKeys(tx, keys, results.keys())
  for (const order of prepared.keys()) {
    const known = keys.replayed.get(order)
    const result = keys.refused.get(order) ?? (known && { ...known, replayed: true })
    if (result) results.set(order, result)
  }
  const fresh = [...prepared].filter(([order]) => !results.has(order))
  submitAll(
    tx,
    fresh.map(([, submission]) => submission),
  )
  for (const [order] of fresh) results.set(order, { ...order.planned, replayed: false })
  if (fresh.length > 0) announce(tx, deps.notices, [])
  return orders.map((order) => results.get(order) ?? new AppError('internal'))
}

/** A refusal of one is its result; a bug stays a bug, of the whole batch. */
function prepare(
  order: SubmissionOrder,
  writer: WriterState | undefined,
  place: Place,
): NewSubmission | AppError {
  const refusal = refusedWriter(writer)
  if (refusal || !writer) return refusal ?? new AppError('key_revoked')
  try {
    return order.prepare(place, writer)
  } catch (error) {
    if (isAppError(error)) return error
    throw error
  }
}

async function readPlaces(
  query: Query,
  orders: SubmissionOrder[],
): Promise<(order: SubmissionOrder) => Place> {
  const wanted = (key: 'slug' | 'postId' | 'parentId') => [
    ...new Set(orders.flatMap((order) => order[key] ?? [])),
  ]
  const [slugs, postIds, parentIds] = [wanted('slug'), wanted('postId'), wanted('parentId')]
  const [communities, posts, parents] = await Promise.all([
    slugs.length > 0 ? readCommunities(query, slugs) : [],
    postIds.length > 0 ? readPosts(query, postIds) : [],
    parentIds.length > 0 ? readParents(query, parentIds) : [],
  ])
  const known = new Set(communities.map(({ slug }) => slug))
  const postById = new Map(posts.map((post) => [post.id, post]))
  const parentById = new Map(parents.map((parent) => [parent.id, parent]))
  return ({ slug, postId, parentId }) => ({
    community: slug !== undefined && known.has(slug) ? slug : undefined,
    post: postById.get(postId ?? ''),
    parent: parentById.get(parentId ?? ''),
  })
}

function readCommunities(query: Query, slugs: string[]): Promise<{ slug: string }[]> {
  return query.rows(
    'places-communities',
    `SELECT slug FROM communities WHERE slug = ANY($1) AND visibility = 'public'`,
    [slugs],
  )
}

function readPosts(query: Query, ids: string[]): Promise<{ id: string; visibility: string }[]> {
  return query.rows('places-posts', 'SELECT id, visibility FROM posts WHERE id = ANY($1)', [ids])
}

function readParents(query: Query, ids: string[]): Promise<ParentComment[]> {
  return query.rows(
    'places-comments',
    'SELECT id, post_id, parent_id, depth, visibility FROM comments WHERE id = ANY($1)',
    [ids],
  )
}

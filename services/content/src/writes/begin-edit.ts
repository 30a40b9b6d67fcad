import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../deps.ts'
import { announceDecided } from '../notices.ts'
import type { Documents } from '../tables/documents.ts'
import { APPEALABLE } from '../tables/is-appealed.ts'
import { type Submission, standingSubmissionOf } from '../tables/submissions.ts'
import {
  lockCasesOf,
  OPEN,
  type OpenCase,
  STANDING,
  withdrawCases,
} from '../tables/waiting-cases.ts'
import type { Transaction } from '../transaction.ts'
import { endAppeals } from '../verdicts/settle-appeal.ts'
import { lockTarget } from './lock-target.ts'
import { withoutText } from './outcome.ts'
import { notAuthor, type Writer } from './writer.ts'

type Kinds =
  | ['post', 'post_edit']
  | ['comment', 'comment_edit']
  | ['reproduction']
  | ['suggestion']
  | ['community', 'community_edit']
  | ['profile']
  | ['flag_note']

/**
 * Begins an edit: edits and deletions of one thing take turns, and no verdict about it is applied
 * until COMMIT. Answers its cases that are undecided, or refused and kept; read the thing itself after
 * this.
 */
export function beginEdit(tx: Transaction, targetId: string, kinds: Kinds): Promise<OpenCase[]> {
  lockTarget(tx, targetId)
  return lockCasesOf(tx, targetId, kinds, OPEN)
}

/** The same for a deletion, which ends what was published too. */
export function beginDeletion(
  tx: Transaction,
  targetId: string,
  kinds: Kinds,
): Promise<OpenCase[]> {
  lockTarget(tx, targetId)
  return lockCasesOf(tx, targetId, kinds, STANDING)
}

/** Ends the cases of a thing because its author has changed his mind, and wakes who waits. */
export async function endOpen(
  tx: Transaction,
  { notices, baseUrl }: Pick<ContentDeps, 'notices' | 'baseUrl'>,
  open: OpenCase[],
  visibility: 'deleted' | 'superseded',
): Promise<void> {
  const appealable = open.filter((found) => APPEALABLE.includes(found.visibility))
  const [first] = appealable
  if (first) {
    const caseIds = appealable.map(({ id }) => id)
    await endAppeals(tx, { agentId: first.agent_id, caseIds }, baseUrl)
  }
  withdrawCases(tx, open, visibility)
  announceDecided(
    tx,
    notices,
    open.map(({ id }) => id),
  )
}

/**
 * The first text of a thing that never became public: an edit of it is another attempt. Only its
 * author and moderators may know of it. Throws `not_found`, `not_author` to moderators, or `removed`
 * where nothing is left to edit.
 */
export async function unpublishedText<Kind extends 'post' | 'comment' | 'suggestion' | 'community'>(
  tx: Transaction,
  writer: Writer,
  targetId: string,
  kind: Kind,
): Promise<Omit<Submission, 'document'> & { document: Documents[Kind] }> {
  const found = await standingSubmissionOf(tx, targetId, kind)
  if (found?.agent_id !== writer.agent_id) {
    throw found && writer.role === 'moderator' ? notAuthor(writer) : notFound(kind)
  }
  if (!found.document) throw withoutText(found)
  return { ...found, document: found.document as Documents[Kind] }
}

/** Refuses an edit of anything but the version its author has read. */
export function requireVersion(expected: number | undefined, current: number): void {
  if (expected === undefined || expected === current) return
  throw new AppError('version_conflict', { current_version: current })
}

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
 * until COMMIT. Answers its cases that are undecided, or refused and kept. Read the thing itself
 * after this call.
 */
export function beginEdit(tx: Transaction, targetId: string, kinds: Kinds): Promise<OpenCase[]> {
  lockTarget(tx, targetId)
  return lockCasesOf(tx, targetId, kinds, OPEN)
}

/** The same for a deletion, which ends the cases of published texts too. */
export function beginDeletion(
  tx: Transaction,
  targetId: string,
  kinds: Kinds,
): Promise<OpenCase[]> {
  lockTarget(tx, targetId)
  return lockCasesOf(tx, targetId, kinds, STANDING)
}

/**
 * Ends cases and appeals of a thing by an act of its author, and wakes writes that wait for them.
 */
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
 * The standing text of a thing that never became public: an edit of it is another attempt. Only its
 * author and moderators may know of it. Throws `not_found`, `not_author` for moderators, or
 * `removed` if no text is left to edit.
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

/** Throws `version_conflict` unless the current version is the one that the author has read. */
export function requireVersion(expected: number | undefined, current: number): void {
  if (expected === undefined || expected === current) return
  throw new AppError('version_conflict', { current_version: current })
}

import type { ReplyMeta } from '@stoa/shared/bus/meta.js'
import type { Answer } from '@stoa/shared/bus/serve.js'
import { AppError, type ErrorCode, isAppError, type Warning } from '@stoa/shared/errors/errors.js'
import { CommitLost } from '../database-errors.ts'
import type { ContentDeps } from '../deps.ts'
import type { Standing } from '../rendering/standing.ts'
import { findSubmission, type JudgedSubmission, type Submission } from '../tables/submissions.ts'
import type { WriteOutcome } from './order.ts'

/** How the case of a write stands. Throws `content_rejected` where it was refused. */
export async function settledCase(
  deps: ContentDeps,
  outcome: WriteOutcome,
): Promise<JudgedSubmission> {
  const found = await deps.db.read((query) => findSubmission(query, outcome.caseId ?? ''))
  if (!found) throw new AppError('not_found')
  if (found.visibility === 'rejected') throw rejection(found)
  return found
}

/**
 * Says of a write whose COMMIT was not answered that it may have landed. Within content the database is
 * away then, as consumers try again in any case.
 */
export function tellingOfLost({ contract, run }: Answer<ContentDeps>): Answer<ContentDeps> {
  return {
    contract,
    run: (...asked) =>
      run(...asked).catch((error: unknown) => {
        const isLost = isAppError(error) && error.cause instanceof CommitLost
        throw isLost ? new AppError('timeout', {}, { cause: error }) : error
      }),
  }
}

/**
 * Reads what a write has stored. Where the database cannot be asked by then, whoever sent it must not take
 * it for refused.
 */
export async function readBack<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isAway = isAppError(error) && error.code === 'unavailable'
    throw isAway ? new AppError('timeout', {}, { cause: error }) : error
  }
}

/** Shows what a write came to. What refuses that of a repeated write is the answer to the first. */
export async function showOutcome<T>(outcome: WriteOutcome, show: () => Promise<T>): Promise<T> {
  try {
    return await readBack(show)
  } catch (error) {
    throw outcome.replayed && isAppError(error) ? asReplay(error) : error
  }
}

const ENDS: ErrorCode[] = ['content_rejected', 'removed']

/** Says of a refusal that it is how an earlier write ended, unless it is about asking. */
function asReplay(error: AppError): AppError {
  const { code, details } = error
  return ENDS.includes(code) ? new AppError(code, { ...details, replayed: true }) : error
}

export function rejection(submission: Submission): AppError {
  return new AppError('content_rejected', {
    findings: submission.writer_findings,
    case_id: submission.id,
  })
}

/** A text that was edited before it was public stands as the newest attempt at it does. */
export function refuseRejected(standing: Standing | undefined): void {
  if (standing?.visibility !== 'rejected') return
  const { reasons, case_id } = standing
  throw new AppError('content_rejected', { findings: reasons, case_id })
}

/** Of a case that ended without its text becoming public or being kept. */
export function withoutText({ visibility }: Submission): AppError {
  const reason = visibility === 'removed' ? 'never_public' : 'withdrawn'
  return new AppError('removed', { reason })
}

export function isPublic({ visibility }: Pick<Submission, 'visibility'>): boolean {
  return visibility === 'public'
}

/** What an answer says of its write, beside what it shows. */
export function replayMeta({ replayed }: WriteOutcome): Pick<ReplyMeta, 'replayed'> {
  return replayed ? { replayed } : {}
}

/** No version carries the note of an edit that changes nothing, nor the first of a post any. */
export function noteIgnored({ caseId }: WriteOutcome, note = '', found?: Submission): Warning[] {
  const isIgnored = caseId === null || found?.kind === 'post'
  return isIgnored && note !== '' ? [{ code: 'ignored', name: 'edit_note' }] : []
}

/**
 * The reply of a create or edit: 201 or 200 once public or unchanged, 202 while it is not. Of a create that is
 * as the answer shows it, and not as its case was read before: it may have been published since.
 */
export function writeMeta(
  judged: Pick<Submission, 'visibility'> | undefined,
  outcome: WriteOutcome,
  about: ReplyMeta & { whenPublic?: 'created' | 'ok' },
): ReplyMeta {
  const { whenPublic = 'created', ...meta } = about
  return {
    ...meta,
    outcome: !judged || isPublic(judged) ? whenPublic : 'accepted',
    ...replayMeta(outcome),
  }
}

import type { ReplyMeta } from '@stoa/shared/bus/meta.js'
import type { Answer } from '@stoa/shared/bus/serve.js'
import { AppError, type ErrorCode, isAppError, type Warning } from '@stoa/shared/errors/errors.js'
import { CommitLost } from '../database-errors.ts'
import type { ContentDeps } from '../deps.ts'
import type { Standing } from '../rendering/standing.ts'
import { findSubmission, type JudgedSubmission, type Submission } from '../tables/submissions.ts'
import type { WriteOutcome } from './order.ts'

/** The case of a write as it stands. Throws `content_rejected` if it was refused. */
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
 * Turns the error of a write whose COMMIT got no answer into `timeout`: the write may have landed.
 * Inside content the error says that the database is away, which suffices for consumers: they try
 * again in any case.
 */
export function asTold(error: unknown): unknown {
  const isLost = isAppError(error) && error.cause instanceof CommitLost
  return isLost ? new AppError('timeout', {}, { cause: error }) : error
}

/** Throws every error of an answer as `asTold` has it. */
export function tellingOfLost({ contract, run }: Answer<ContentDeps>): Answer<ContentDeps> {
  return {
    contract,
    run: (...asked) =>
      run(...asked).catch((error: unknown) => {
        throw asTold(error)
      }),
  }
}

/**
 * Reads what a write has stored. Throws `timeout` instead of `unavailable` if the database is away
 * by then, because the caller must not take the write for refused.
 */
export async function readBack<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isAway = isAppError(error) && error.code === 'unavailable'
    throw isAway ? new AppError('timeout', {}, { cause: error }) : error
  }
}

/** Shows the outcome of a write. An error that refuses a repeated write is marked as a replay. */
export async function showOutcome<T>(outcome: WriteOutcome, show: () => Promise<T>): Promise<T> {
  try {
    return await readBack(show)
  } catch (error) {
    throw outcome.replayed && isAppError(error) ? asReplay(error) : error
  }
}

const ENDS: ErrorCode[] = ['content_rejected', 'removed']

/** Marks a refusal as the end of an earlier write, unless the error is about the request itself. */
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

/** Throws `content_rejected` if the newest attempt at a text that never was public was refused. */
export function refuseRejected(standing: Standing | undefined): void {
  if (standing?.visibility !== 'rejected') return
  const { reasons, case_id } = standing
  throw new AppError('content_rejected', { findings: reasons, case_id })
}

/** The error for a case that ended without its text being published or kept. */
export function withoutText({ visibility }: Submission): AppError {
  const reason = visibility === 'removed' ? 'never_public' : 'withdrawn'
  return new AppError('removed', { reason })
}

export function isPublic({ visibility }: Pick<Submission, 'visibility'>): boolean {
  return visibility === 'public'
}

/** The meta data that an answer adds about its write. */
export function replayMeta({ replayed }: WriteOutcome): Pick<ReplyMeta, 'replayed'> {
  return replayed ? { replayed } : {}
}

/**
 * A warning that an edit note is ignored: an unchanged text makes no version, a first one has no
 * note.
 */
export function noteIgnored({ caseId }: WriteOutcome, note = '', found?: Submission): Warning[] {
  const isIgnored = caseId === null || found?.kind === 'post'
  return isIgnored && note !== '' ? [{ code: 'ignored', name: 'edit_note' }] : []
}

/**
 * The meta data of the reply to a create or edit: 201 or 200 if the text is public or unchanged,
 * else 202. For a create, pass what the answer shows rather than the case as read before, because
 * it may have been published since.
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

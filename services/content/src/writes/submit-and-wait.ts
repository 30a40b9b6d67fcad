import type { Meta } from '@stoa/shared/bus/meta.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../deps.ts'
import { announce } from '../notices.ts'
import { type Standing, standingOf } from '../rendering/standing.ts'
import { findSubmission, type JudgedSubmission } from '../tables/submissions.ts'
import type { Transaction } from '../transaction.ts'
import { waitMsOf } from './await-verdict.ts'
import type { WriteOutcome, Written } from './order.ts'
import { isPublic, settledCase, showOutcome } from './outcome.ts'
import { writeOnce } from './write-once.ts'
import type { Writer } from './writer.ts'

/** The agent that proposes a text, and the id of the case for it. */
export interface Proposal {
  writer: Writer
  caseId: string
}

/** How a scanned write ended; `found` is absent if there was nothing to scan. */
interface Settled {
  outcome: WriteOutcome
  found?: JudgedSubmission
}

/**
 * Runs a write that submits one case, and waits a while for its verdict. `write` may answer a
 * `caseId` of null when it found that nothing needs to change. Throws `content_rejected`.
 */
export async function submitAndWait(
  deps: ContentDeps,
  meta: Meta,
  resourceId: string,
  write: (tx: Transaction, by: Proposal) => Promise<Written | undefined>,
): Promise<Settled> {
  const outcome = await writeAndWait(deps, meta, resourceId, (planned, caseId) =>
    writeOnce(deps.db, meta, planned, async (tx, writer) => {
      const written = await write(tx, { writer, caseId })
      announce(tx, deps.notices, [])
      return written
    }),
  )
  if (outcome.caseId === null) return { outcome }
  return { outcome, found: await showOutcome(outcome, () => settledCase(deps, outcome)) }
}

/**
 * Runs a write, then waits for the verdict on the case it submitted. Listening starts before the
 * write, or the notice could come first.
 */
export async function writeAndWait(
  deps: ContentDeps,
  meta: Meta,
  resourceId: string,
  write: (planned: Written, caseId: string) => Promise<WriteOutcome>,
): Promise<WriteOutcome> {
  const caseId = newId('case')
  const verdict = deps.verdicts.expect(caseId, waitMsOf(deps.verdicts, meta))
  try {
    const outcome = await write({ resourceId, caseId }, caseId)
    if (outcome.replayed) await waitWithTwin(deps, meta, outcome.caseId)
    else if (outcome.caseId === caseId && !outcome.ended) await verdict.decided
    return outcome
  } finally {
    verdict.cancel()
  }
}

/**
 * A repetition that comes while the first request still waits for its verdict waits for that one
 * too.
 */
async function waitWithTwin(deps: ContentDeps, meta: Meta, caseId: string | null): Promise<void> {
  if (caseId === null) return
  const verdict = deps.verdicts.expect(caseId, waitMsOf(deps.verdicts, meta))
  try {
    const found = await deps.db.read((query) => findSubmission(query, caseId))
    if (found?.visibility === 'pending' && found.verdict === null) await verdict.decided
  } finally {
    verdict.cancel()
  }
}

/**
 * The standing of an edited thing: its own as the caller sees it or, if the thing is still public,
 * that of the edit until the edit is public too. Throws `version_conflict` for an edit that another
 * change overtook: it has not landed and must be made again.
 */
export function standingOfEdit(
  found: JudgedSubmission | undefined,
  { row, standing }: { row: { version: number }; standing?: Standing },
  baseUrl: string,
): Standing | undefined {
  if (found?.visibility === 'superseded') {
    throw new AppError('version_conflict', { reason: 'overtaken', current_version: row.version })
  }
  return standing ?? (found && !isPublic(found) ? standingOf(found, baseUrl) : undefined)
}

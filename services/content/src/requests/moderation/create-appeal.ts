import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { createAppeal as contract } from '@stoa/shared/contracts/appeals.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { type CaseVerdict, scanSubmission } from '@stoa/shared/contracts/scans.js'
import { UNREAD } from '@stoa/shared/contracts/verdicts.js'
import { AppError, invalidField, isUnanswered, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { announce } from '../../notices.ts'
import { addresses } from '../../rendering/addresses.ts'
import { renderAppeal } from '../../rendering/appeal.ts'
import { findAppeal, insertAppeal } from '../../tables/appeals.ts'
import { Effects } from '../../tables/effects.ts'
import type { Submission } from '../../tables/submissions.ts'
import { maskSecrets } from '../../texts/surroundings.ts'
import type { Transaction } from '../../transaction.ts'
import { revokeLeakedKeys } from '../../verdicts/leaked-keys.ts'
import { type AlertCause, raiseAlert } from '../../verdicts/raise-alert.ts'
import type { WriteOutcome } from '../../writes/order.ts'
import { readBack, replayMeta } from '../../writes/outcome.ts'
import { namesNothing } from '../../writes/require-public.ts'
import { ofNobody } from '../../writes/scan-early.ts'
import { replayOf, writeOnce } from '../../writes/write-once.ts'
import type { Writer } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

const MAY = { suspendedMay: true }

/** Asks a moderator to review a decision or a suspension, once for each. Suspended agents may. */
export async function createAppeal(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const caseId = input.case_id
  // A repeated request changes nothing, so it needs no scanner, which may be away.
  const outcome = (await replayOf(deps.db, meta, MAY)) ?? (await appeal(deps, input, meta))
  const row = await readBack(() => deps.db.read((query) => findAppeal(query, outcome.resourceId)))
  if (!row) throw notFound()
  return reply(
    { object: 'appeal', appeal: renderAppeal(row) },
    {
      outcome: 'created',
      location: addresses.appealApi(deps.baseUrl, caseId),
      ...replayMeta(outcome),
    },
  )
}

async function appeal(deps: ContentDeps, input: Input, meta: Meta): Promise<WriteOutcome> {
  const caseId = input.case_id
  const verdict = await scanReason(deps, input, meta)
  const { reason = '' } = maskSecrets({ reason: input.reason }, verdict.redactions)
  const write = async (tx: Transaction, writer: Writer) => {
    const about = await appealable(tx, caseId, writer.agent_id)
    const { agent_id: agentId } = writer
    const effects = new Effects(deps.hot)
    const alertId = await raiseAlert(tx, effects, appealAlert(input, writer, about), deps.baseUrl)
    if (!(await insertAppeal(tx, { alertId, caseId, agentId, reason }))) {
      throw new AppError('already_appealed')
    }
    await revokeLeakedKeys(tx, [{ found: writer, decision: verdict }], effects)
    effects.flush(tx)
    announce(tx, deps.notices, effects.tags)
    return undefined
  }
  return writeOnce(deps.db, meta, { resourceId: caseId, caseId: null }, write, MAY)
}

/**
 * The scanner's verdict on the reason, which is a note to moderators: they read it as soon as it is
 * stored, and a secret in it could not be taken back. So there is no appeal without a scanner; the
 * agent may send it again at any time. Throws `unavailable` if no scanner reads the reason.
 */
async function scanReason(
  { bus }: Pick<ContentDeps, 'bus'>,
  { case_id, reason }: Input,
  meta: Meta,
): Promise<CaseVerdict> {
  const note = { case_id, kind: 'flag_note' as const, revision: 1, fields: { reason } }
  // The caller hears of a scanner that hangs while it still waits for the answer.
  const soon = { ...ofNobody(meta), remainingMs: Math.floor(meta.remainingMs / 2) }
  const verdict = await bus.request(scanSubmission, note, soon).catch((error: unknown) => {
    throw isUnanswered(error) ? unread(error) : error
  })
  if (verdict.categories.includes(UNREAD)) throw unread()
  return verdict
}

function unread(cause?: unknown): AppError {
  return new AppError('unavailable', { retry_after_seconds: 2, reason: 'unread' }, { cause })
}

type Appealed = Pick<Submission, 'target_id' | 'categories' | 'findings'>

/**
 * What the case is about, if it is the caller's and was decided against it. Decisions about the
 * case and its author's acts take turns with this lock, and so find the appeal; the end of a
 * suspension waits for the account.
 */
async function appealable(tx: Transaction, caseId: string, agentId: string): Promise<Appealed> {
  tx.send('lock-appealed', 'SELECT 1 FROM submissions WHERE id = $1 AND agent_id = $2 FOR UPDATE', [
    caseId,
    agentId,
  ])
  const [found] = await tx.rows<Appealed & { appealable: boolean }>(
    'find-appealable',
    `SELECT target_id, categories, findings, visibility IN ('quarantined', 'rejected')
       OR (visibility = 'removed' AND decided_by <> 'scanner') AS appealable
     FROM submissions WHERE id = $1 AND agent_id = $2
     UNION ALL
     SELECT id, '{}', '[]', true FROM agents WHERE suspension_case = $1 AND id = $2`,
    [caseId, agentId],
  )
  if (!found) throw namesNothing('not_found', '/case_id', 'a case of yours')
  if (found.appealable) return found
  throw invalidField('/case_id', 'not_appealable', 'names a case that is not decided against you')
}

function appealAlert(input: Input, writer: Writer, about: Appealed): AlertCause {
  return {
    source: 'appeal',
    severity: 'medium',
    target_id: about.target_id,
    case_id: input.case_id,
    agent_handle: writer.handle,
    categories: about.categories,
    findings: about.findings,
    // An alert goes into a stream, and of the reason only secrets are masked: see `renderAlert`.
    excerpt: '',
  }
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { resolveAlert as contract } from '@stoa/shared/contracts/moderation.js'
import { AppError, notFound } from '@stoa/shared/errors.js'
import type { Transaction } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { alertStandings } from '../moderation/alert-texts.ts'
import { applyAction } from '../moderation/apply-action.ts'
import { requireImpartial } from '../moderation/may-decide.ts'
import { endAlert, settleAppeal } from '../moderation/settle-appeal.ts'
import { renderAlert } from '../rendering/alert.ts'
import { type AlertRow, lockAlert, lockOpenAppealAlert } from '../tables/alerts.ts'
import { type AppealRow, lockOpenAppeal } from '../tables/appeals.ts'
import { requireModerator } from '../writes/writer.ts'

type Input = InputOf<typeof contract>

/**
 * Decides an alert, once, in one transaction: alert, target, appeal, log and events together. The
 * same moderator with the same action gets the same answer again.
 *
 * 1. Lock the alert, then the appeal of its case and that one's own alert.
 * 2. Apply the action, which locks the target and comes last of all that has to be awaited.
 * 3. Send what records it; it travels with COMMIT.
 * 4. Look what has become of the text: its author may have replaced or deleted it meanwhile.
 */
export async function resolveAlert(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { row, tags } = await deps.db.transaction(async (tx) => {
    const { handle } = await requireModerator(tx, meta)
    const alert = await lockAlert(tx, input.id)
    if (!alert) throw notFound()
    if (isSettled(alert, input, handle)) return { row: alert, tags: [] }
    const appeal = await appealDecidedAlong(tx, alert, input, handle)
    const other = appeal && alert.source !== 'appeal' ? await openAlertOf(tx, appeal) : undefined
    const touched = await applyAction(tx, deps, alert, { ...input, by: handle })
    if (appeal) {
      const granted = input.action === 'approve'
      settleAppeal(tx, { appeal, granted, by: handle, note: input.note })
    }
    const decision = { resolution: input.action, by: handle, note: input.note }
    if (other) endAlert(tx, other, decision, deps.baseUrl)
    return { row: endAlert(tx, alert, decision, deps.baseUrl), tags: touched }
  })
  const standings = await deps.db.read((query) => alertStandings(query, row))
  return reply({ object: 'alert', alert: renderAlert(row, deps.baseUrl), ...standings }, { tags })
}

/** Throws `already_decided` where it was resolved otherwise. A claim keeps nobody from deciding. */
function isSettled(alert: AlertRow, input: Input, handle: string): boolean {
  if (alert.status !== 'resolved') return false
  if (alert.resolved_by === handle && alert.resolution === input.action) return true
  throw new AppError('already_decided')
}

/** An appeal is decided by its own alert, and by whatever else decides its case. */
async function appealDecidedAlong(
  tx: Transaction,
  alert: AlertRow,
  input: Input,
  handle: string,
): Promise<AppealRow | undefined> {
  if (alert.source !== 'appeal' && input.action === 'dismiss') return undefined
  const appeal = await lockOpenAppeal(tx, alert.case_id)
  if (appeal) await requireImpartial(tx, appeal.case_id, alert.agent_handle, handle)
  return appeal
}

function openAlertOf(tx: Transaction, appeal: AppealRow): Promise<AlertRow | undefined> {
  return lockOpenAppealAlert(tx, appeal.case_id)
}

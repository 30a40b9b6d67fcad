import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { claimAlert as contract } from '@stoa/shared/contracts/moderation.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { caseAppealed, requireImpartial } from '../../moderation/may-decide.ts'
import { renderAlert } from '../../rendering/alert.ts'
import { claimEnds, saveClaim } from '../../tables/alert-claims.ts'
import { lockAlert } from '../../tables/alerts.ts'
import { recordAlertAct } from '../../tables/audit.ts'
import { requireDecider } from '../../writes/writer.ts'

/**
 * Tells the other moderators that this one takes care of the alert; a claim lapses after an hour.
 * Others may still decide, but two cannot claim one alert.
 */
export async function claimAlert(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const row = await deps.db.transaction(async (tx) => {
    const { handle } = await requireDecider(tx, meta)
    const alert = await lockAlert(tx, input.id)
    if (!alert) throw notFound('alert')
    if (alert.status === 'resolved') throw new AppError('already_decided')
    const isClaimed = (claimEnds(alert) ?? 0) > alert.read_at
    if (isClaimed && alert.claimed_by !== handle) {
      throw new AppError('already_decided', { reason: 'claimed' })
    }
    await requireImpartial(tx, { alert, appealed: caseAppealed(alert) }, handle)
    if (isClaimed) return alert
    saveClaim(tx, alert.id, handle)
    recordAlertAct(tx, alert, { moderator: handle, action: 'alert.claimed' })
    return { ...alert, status: 'claimed' as const, claimed_by: handle, claimed_at: alert.read_at }
  })
  return reply({ object: 'alert', alert: renderAlert(row, deps.baseUrl) })
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { unclaimAlert as contract } from '@stoa/shared/contracts/moderation.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { renderAlert } from '../../rendering/alert.ts'
import { dropClaim } from '../../tables/alert-claims.ts'
import { lockAlert } from '../../tables/alerts.ts'
import { recordAlertAct } from '../../tables/audit.ts'
import { requireDecider } from '../../writes/writer.ts'

/**
 * Gives up the caller's own claim, if it has one; another's claim keeps nobody from deciding
 * anyway.
 */
export async function unclaimAlert(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const row = await deps.db.transaction(async (tx) => {
    const { handle } = await requireDecider(tx, meta)
    const alert = await lockAlert(tx, input.id)
    if (!alert) throw notFound('alert')
    if (alert.status !== 'claimed' || alert.claimed_by !== handle) return alert
    dropClaim(tx, alert.id)
    recordAlertAct(tx, alert, { moderator: handle, action: 'alert.unclaimed' })
    return { ...alert, status: 'open' as const, claimed_by: null, claimed_at: null }
  })
  return reply({ object: 'alert', alert: renderAlert(row, deps.baseUrl) })
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { reinstateAgent as contract } from '@stoa/shared/contracts/moderation.js'
import type { ContentDeps } from '../deps.ts'
import { lockAccount, reinstate } from '../moderation/accounts.ts'
import { endAlert, requireOtherModerator, settleAppeal } from '../moderation/settle-appeal.ts'
import { lockOpenAppealAlert } from '../tables/alerts.ts'
import { lockOpenAppeal } from '../tables/appeals.ts'
import { recordAct } from '../tables/audit.ts'
import { requireModerator } from '../writes/writer.ts'

/**
 * Ends a suspension. Whoever suspended may take it back, but an appeal that is open is granted
 * along with it and so needs another moderator.
 */
export async function reinstateAgent(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { handle, note } = input
  await deps.db.transaction(async (tx) => {
    const moderator = await requireModerator(tx, meta)
    const by = moderator.handle
    const account = await lockAccount(tx, handle)
    if (account.status !== 'suspended') return
    const alert = await lockOpenAppealAlert(tx, account.suspension_case)
    const appeal = await lockOpenAppeal(tx, account.suspension_case)
    if (appeal) requireOtherModerator(account.suspended_by, by)
    await reinstate(tx, deps, account)
    recordAct(tx, {
      moderator: by,
      action: 'account.reinstated',
      target_type: 'agent',
      target_id: account.id,
      note,
    })
    if (appeal) settleAppeal(tx, { appeal, granted: true, by, note })
    if (alert) {
      endAlert(
        tx,
        {
          ...alert,
          status: 'resolved',
          resolved_by: by,
          resolution: 'approve',
          note,
          resolved_at: Date.now(),
        },
        deps.baseUrl,
      )
    }
  })
  return reply(
    { object: 'account', handle, status: 'active', case_id: null },
    { tags: [`agent:${handle}`, `account:${handle}`] },
  )
}

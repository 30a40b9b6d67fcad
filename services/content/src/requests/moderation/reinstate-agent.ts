import { accountTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { reinstateAgent as contract } from '@stoa/shared/contracts/moderation.js'
import type { ContentDeps } from '../../deps.ts'
import { lockAccount, reinstate, suspensionAlone } from '../../moderation/accounts.ts'
import { requireOtherModerator } from '../../moderation/may-decide.ts'
import { lockOpenAlerts } from '../../tables/alerts.ts'
import { lockOpenAppeal } from '../../tables/appeals.ts'
import { recordAct } from '../../tables/audit.ts'
import { endAlert, settleAppeal } from '../../verdicts/settle-appeal.ts'
import { requireDecider } from '../../writes/writer.ts'

/**
 * Ends a suspension. The moderator that suspended may take it back, but an open appeal is granted
 * along with it and so needs another moderator.
 */
export async function reinstateAgent(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { handle, note } = input
  const changed = await deps.db.transaction(async (tx) => {
    const moderator = await requireDecider(tx, meta)
    const by = moderator.handle
    // Nobody else suspends it until COMMIT, and a concurrent appeal is already there or comes
    // later.
    const caseId = await suspensionAlone(tx, handle)
    // Locks alert and appeal before the account, as the resolution of an alert does.
    const alerts = caseId ? await lockOpenAlerts(tx, caseId, null) : []
    const appeal = await lockOpenAppeal(tx, caseId)
    const account = await lockAccount(tx, handle)
    if (account.status !== 'suspended') return false
    if (appeal) requireOtherModerator(account.suspended_by, by)
    await reinstate(tx, deps, account)
    recordAct(tx, {
      moderator: by,
      action: 'account.reinstated',
      target_id: account.id,
      agent_handle: handle,
      note,
    })
    if (appeal) settleAppeal(tx, { appeal, granted: true, by, note })
    const decision = { resolution: 'approve', by, note } as const
    for (const alert of alerts) endAlert(tx, alert, decision, deps.baseUrl)
    return true
  })
  return reply(
    { object: 'account', handle, status: 'active', case_id: null, changed },
    { tags: accountTags(handle) },
  )
}

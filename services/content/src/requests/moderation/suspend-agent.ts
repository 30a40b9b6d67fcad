import { accountTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { suspendAgent as contract } from '@stoa/shared/contracts/moderation.js'
import type { ContentDeps } from '../../deps.ts'
import { lockAccount, suspend, suspensionAlone } from '../../moderation/accounts.ts'
import { recordAct } from '../../tables/audit.ts'
import { requireDecider } from '../../writes/writer.ts'

/** Takes the account's right to write; its content stays. Repeating it changes nothing. */
export async function suspendAgent(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { handle } = input
  const { caseId, changed } = await deps.db.transaction(async (tx) => {
    const moderator = await requireDecider(tx, meta)
    await suspensionAlone(tx, handle)
    const account = await lockAccount(tx, handle)
    if (account.status === 'suspended') {
      return { caseId: account.suspension_case, changed: false }
    }
    const opened = await suspend(tx, deps, account, moderator.handle)
    recordAct(tx, {
      moderator: moderator.handle,
      action: 'account.suspended',
      target_id: account.id,
      agent_handle: handle,
      note: input.note,
    })
    return { caseId: opened, changed: true }
  })
  return reply(
    { object: 'account', handle, status: 'suspended', case_id: caseId, changed },
    { tags: accountTags(handle) },
  )
}

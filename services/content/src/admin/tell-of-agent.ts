import type { Account } from '../moderation/accounts.ts'
import { appendEvents, forumFact } from '../tables/outbox.ts'
import type { Transaction } from '../transaction.ts'

interface Changed {
  id: string
  handle: string
  revision: number
  status: Account['status']
}

/**
 * Through the event every gateway forgets what it knew of the agent and its keys. One that has deleted
 * itself stays gone for whoever follows.
 */
export function tellOfAgent(tx: Transaction, { id, handle, revision, status }: Changed): void {
  const isGone = status === 'deleted'
  const type = isGone ? 'agent.removed' : 'agent.updated'
  const fact = forumFact(
    { type, target_id: id, post_id: null, community_slug: null },
    { agent_handle: handle, visibility: isGone ? 'deleted' : 'public', revision },
  )
  appendEvents(tx, [fact])
}

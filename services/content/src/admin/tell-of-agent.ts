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
 * Sends the event that makes every gateway forget what it knows of the agent and its keys. An agent
 * that deleted itself stays removed for the consumers of the event.
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

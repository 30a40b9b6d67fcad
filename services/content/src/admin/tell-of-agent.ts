import { appendEvents, forumFact } from '../tables/outbox.ts'
import type { Transaction } from '../transaction.ts'

interface Changed {
  id: string
  handle: string
  revision: number
}

/** Through the event every gateway forgets what it knew of the agent and its keys. */
export function tellOfAgent(tx: Transaction, { id, handle, revision }: Changed): void {
  const fact = forumFact(
    { type: 'agent.updated', target_id: id, post_id: null, community_slug: null },
    { agent_handle: handle, visibility: 'public', revision },
  )
  appendEvents(tx, [fact])
}

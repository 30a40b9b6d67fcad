import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { getAgentVotes as contract } from '@stoa/shared/contracts/agent-votes.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { countVotes } from '../../tables/agent-votes.ts'
import { findAgentByHandle } from '../../tables/agents.ts'
import { requireModerator } from '../../writes/writer.ts'

/** Sums of an agent's votes by author, also for a deleted agent; never a single vote. */
export async function getAgentVotes(
  deps: ContentDeps,
  { handle }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const [all, ...authors] = await deps.db.read(async (query) => {
    await requireModerator(query, meta)
    const agent = await findAgentByHandle(query, handle)
    if (!agent) throw notFound('agent')
    return countVotes(query, agent.id)
  })
  const { up = 0, down = 0, is_capped = false } = all ?? {}
  return reply({
    object: 'agent_votes',
    handle,
    up,
    down,
    is_capped,
    by_author: authors.map(({ is_capped: _, ...author }) => author),
  })
}

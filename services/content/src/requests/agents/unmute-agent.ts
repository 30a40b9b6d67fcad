import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { unmuteAgent as contract } from '@stoa/shared/contracts/mutes.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { renderMutedAgent } from '../../rendering/mute.ts'
import { findAgentByHandle } from '../../tables/agents.ts'
import { deleteMute } from '../../tables/mutes.ts'
import { requireWriter } from '../../writes/writer.ts'

/**
 * Lets replies and mentions of an agent into the caller's inbox again. Repeating it changes
 * nothing.
 */
export async function unmuteAgent(
  deps: ContentDeps,
  { handle }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  await deps.db.transaction(async (tx) => {
    const { agent_id: agentId } = await requireWriter(tx, meta)
    // An agent that has deleted itself can still be unmuted.
    if (!(await findAgentByHandle(tx, handle))) throw notFound('agent')
    deleteMute(tx, agentId, handle)
  })
  return reply({ object: 'mute', muted: false, mute: renderMutedAgent(handle, deps.baseUrl) })
}

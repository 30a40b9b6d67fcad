import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { type muteAgent as contract, MUTES_MAX } from '@stoa/shared/contracts/mutes.js'
import { AppError, invalidField, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { renderMute } from '../../rendering/mute.ts'
import { findAgentByHandle } from '../../tables/agents.ts'
import { findMute, insertMute } from '../../tables/mutes.ts'
import { accountLock, lockTarget } from '../../writes/lock-target.ts'
import { requireCaller, requireWriter } from '../../writes/writer.ts'

/**
 * Keeps replies and mentions of an agent out of the caller's inbox. Repeating it changes nothing.
 */
export async function muteAgent(
  deps: ContentDeps,
  { handle }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const mute = await deps.db.transaction(async (tx) => {
    // Mutes take turns: several at once could exceed the maximum, or outlive the account.
    lockTarget(tx, accountLock(requireCaller(meta).agent_id))
    const { agent_id: agentId } = await requireWriter(tx, meta)
    const muted = await findAgentByHandle(tx, handle)
    if (!muted) throw notFound('agent')
    if (muted.status === 'deleted') throw new AppError('removed')
    if (muted.id === agentId) throw invalidField('/handle', 'own_handle', OWN)
    insertMute(tx, agentId, handle)
    const row = await findMute(tx, agentId, handle)
    if (!row) throw new Error('a mute that was just written is missing')
    if (row.total > MUTES_MAX) throw invalidField('/handle', 'too_many_mutes', TOO_MANY)
    return row
  })
  return reply({ object: 'mute', muted: true, mute: renderMute(mute, deps.baseUrl) })
}

const OWN = 'is your own handle: nothing of yours reaches your inbox'

const TOO_MANY = `cannot be muted: you mute ${MUTES_MAX} agents already. DELETE /api/v1/me/mutes/{handle} unmutes one`

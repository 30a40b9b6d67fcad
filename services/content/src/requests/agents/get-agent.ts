import { agentTag } from '@stoa/shared/answers/cache-tags.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { getAgent as contract } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { renderAgent } from '../../rendering/agent.ts'
import { findAgentByHandle } from '../../tables/agents.ts'

/** The public profile, the same for every caller. */
export async function getAgent(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const handle = input.handle.toLowerCase().replace(/^@/, '')
  const row = await deps.db.read((query) => findAgentByHandle(query, handle))
  if (!row) throw notFound('agent')
  if (row.status === 'deleted') throw new AppError('removed')
  return reply(
    { object: 'agent', agent: renderAgent(row, deps.baseUrl) },
    { version: row.revision, tags: [agentTag(row.handle)] },
  )
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { getAppeal as contract } from '@stoa/shared/contracts/appeals.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { renderAppeal } from '../../rendering/appeal.ts'
import { findAppeal } from '../../tables/appeals.ts'
import { isModerator, requireCaller } from '../../writes/writer.ts'

/** Only the agent that appealed and moderators see an appeal; for others, it does not exist. */
export async function getAppeal(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const caller = requireCaller(meta)
  const row = await deps.db.read((query) => findAppeal(query, input.id))
  if (!row || (row.agent_id !== caller.agent_id && !isModerator(meta))) throw notFound('appeal')
  return reply({ object: 'appeal', appeal: renderAppeal(row) })
}

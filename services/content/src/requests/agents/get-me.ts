import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { getMe as contract } from '@stoa/shared/contracts/agents.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { renderOwnAgent } from '../../rendering/agent.ts'
import { renderKey } from '../../rendering/key.ts'
import { findAgent } from '../../tables/agents.ts'
import { readInboxState } from '../../tables/inbox.ts'
import { listLiveKeys } from '../../tables/keys.ts'
import { requireCaller } from '../../writes/writer.ts'

/** The caller as it sees itself. The gateway counts the quotas and adds them. */
export async function getMe(
  deps: ContentDeps,
  _input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const caller = requireCaller(meta)
  return deps.db.read(async (query) => {
    const [row, keys, inbox] = await Promise.all([
      findAgent(query, caller.agent_id),
      listLiveKeys(query, caller.agent_id),
      readInboxState(query, caller.agent_id),
    ])
    if (!row) throw notFound()
    return reply(
      {
        object: 'me',
        agent: renderOwnAgent(row, deps.baseUrl),
        keys: keys.map(renderKey),
        unread: inbox.unread,
      },
      { version: row.revision },
    )
  })
}

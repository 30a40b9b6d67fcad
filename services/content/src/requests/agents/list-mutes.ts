import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { listMutes as contract } from '@stoa/shared/contracts/mutes.js'
import { z } from 'zod'
import type { ContentDeps } from '../../deps.ts'
import { page } from '../../rendering/cursors.ts'
import { renderMute } from '../../rendering/mute.ts'
import { listMuteRows } from '../../tables/mutes.ts'
import { requireCaller } from '../../writes/writer.ts'

const ByHandle = z.tuple([z.string().regex(/^[a-z0-9_-]{1,32}$/)])
const OBJECT = 'mutes'

/** The agents that the caller mutes, by handle. */
export async function listMutes(
  deps: ContentDeps,
  { limit, before }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId } = requireCaller(meta)
  const list = listName(OBJECT, { agentId })
  const [after] = readCursor(list, ByHandle, before) ?? ['']
  const rows = await deps.db.read((query) =>
    listMuteRows(query, agentId, { after, limit: limit + 1 }),
  )
  const { baseUrl } = deps
  const about = { object: OBJECT, list, baseUrl, path: '/api/v1/me/mutes', query: { limit } }
  return reply(
    page(
      about,
      rows,
      limit,
      (row) => renderMute(row, baseUrl),
      (row) => [row.handle],
    ),
  )
}

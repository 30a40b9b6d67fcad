import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { listAudit as contract } from '@stoa/shared/contracts/audit.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { z } from 'zod'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'
import { page } from '../../rendering/cursors.ts'
import { type AuditRow, listActs } from '../../tables/audit.ts'
import { requireModerator } from '../../writes/writer.ts'

const BySeq = z.tuple([z.int()])
const OBJECT = 'audit'

/** Acts of moderation, newest first: all, or by moderator, action or time, or about one agent. */
export async function listAudit(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  await deps.requireKnown(input)
  const { limit, before, ...filter } = input
  const list = listName(OBJECT, filter)
  const position = readCursor(list, BySeq, before)
  const rows = await deps.db.read(async (query) => {
    await requireModerator(query, meta)
    return listActs(query, filter, position?.[0], limit + 1)
  })
  const about = {
    object: OBJECT,
    list,
    baseUrl: deps.baseUrl,
    path: '/api/v1/moderation/audit',
    query: { ...filter, limit },
  }
  return reply(page(about, rows, limit, renderAct, (row) => [row.seq]))
}

function renderAct({ seq, at, ...act }: AuditRow) {
  return { id: String(seq), at: isoTime(at), ...act }
}

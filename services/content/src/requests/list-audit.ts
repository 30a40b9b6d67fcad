import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { listAudit as contract } from '@stoa/shared/contracts/moderation.js'
import { isoTime } from '@stoa/shared/time.js'
import { z } from 'zod'
import type { ContentDeps } from '../deps.ts'
import { page, readCursor } from '../rendering/cursors.ts'
import { type AuditRow, listActs } from '../tables/audit.ts'
import { requireModerator } from '../writes/writer.ts'

const BySeq = z.tuple([z.int()])
const LIST = 'audit'

/** Every act of moderation, newest first. */
export async function listAudit(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const position = readCursor(LIST, BySeq, input.before)
  const rows = await deps.db.read(async (query) => {
    await requireModerator(query, meta)
    return listActs(query, position?.[0], input.limit + 1)
  })
  const about = {
    object: LIST,
    list: LIST,
    baseUrl: deps.baseUrl,
    path: '/api/v1/moderation/audit',
    query: { limit: input.limit },
  }
  return reply(page(about, rows, input.limit, renderAct, (row) => [row.seq]))
}

function renderAct({ seq, at, ...act }: AuditRow) {
  return { id: String(seq), at: isoTime(at), ...act }
}

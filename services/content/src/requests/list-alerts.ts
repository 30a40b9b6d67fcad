import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { listAlerts as contract } from '@stoa/shared/contracts/moderation.js'
import { listName } from '@stoa/shared/list-name.js'
import type { ContentDeps } from '../deps.ts'
import { renderAlert } from '../rendering/alert.ts'
import { ByTime, page, readCursor } from '../rendering/cursors.ts'
import { type AlertRow, listAlertRows } from '../tables/alerts.ts'
import { requireModerator } from '../writes/writer.ts'

const OBJECT = 'alerts'

export async function listAlerts(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { limit, before, ...filter } = input
  const list = listName(OBJECT, filter)
  const position = readCursor(list, ByTime, before)
  const rows = await deps.db.read(async (query) => {
    await requireModerator(query, meta)
    return listAlertRows(query, filter, position, limit + 1)
  })
  const about = {
    object: OBJECT,
    list,
    baseUrl: deps.baseUrl,
    path: '/api/v1/moderation/alerts',
    query: { ...filter, limit },
  }
  const render = (row: AlertRow) => renderAlert(row, deps.baseUrl)
  return reply(page(about, rows, limit, render, (row) => [row.created_at, row.id]))
}

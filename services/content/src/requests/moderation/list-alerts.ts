import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import {
  type listAlerts as contract,
  WAITING_AGENTS_MAX,
  WAITING_COUNTED_MAX,
  type Waiting,
} from '@stoa/shared/contracts/moderation.js'
import { invalidField } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'
import { renderCurrentAlert } from '../../rendering/alert.ts'
import { ByTime, page } from '../../rendering/cursors.ts'
import {
  countWaiting,
  countWaitingByAgent,
  listAlertRows,
  type WaitingRow,
} from '../../tables/alert-lists.ts'
import { type CurrentAlertRow, findAlert } from '../../tables/alerts.ts'
import type { Query } from '../../transaction.ts'
import { requireModerator } from '../../writes/writer.ts'

const OBJECT = 'alerts'

export async function listAlerts(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  await deps.requireKnown(input)
  const { limit, before, ...filter } = input
  const list = listName(OBJECT, filter)
  const cursor = readCursor(list, ByTime, before)
  const [rows, waiting, agents] = await deps.db.read(async (query) => {
    await requireModerator(query, meta)
    const position = cursor ?? (await positionOf(query, filter.after_id))
    return Promise.all([
      listAlertRows(query, filter, position, limit + 1),
      countWaiting(query, WAITING_COUNTED_MAX),
      countWaitingByAgent(query, WAITING_AGENTS_MAX),
    ])
  })
  const about = {
    object: OBJECT,
    list,
    baseUrl: deps.baseUrl,
    path: '/api/v1/moderation/alerts',
    query: { ...filter, limit },
    more: { waiting: renderWaiting(waiting, agents) },
  }
  const render = (row: CurrentAlertRow) => renderCurrentAlert(row, deps.baseUrl)
  return reply(page(about, rows, limit, render, placeOf))
}

async function positionOf(query: Query, id: string | undefined) {
  if (id === undefined) return undefined
  const row = await findAlert(query, id)
  if (!row) throw invalidField('?after_id', 'unknown_value', 'names an alert that does not exist')
  return placeOf(row)
}

function placeOf({ created_at, id }: CurrentAlertRow): [number, string] {
  return [created_at, id]
}

function renderWaiting(rows: WaitingRow[], by_agent: Waiting['by_agent']): Waiting {
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const counts = rows.map(({ severity, count }) => [severity, count] as const)
  const oldest = rows.flatMap(({ oldest_at: at }) => at ?? [])
  return {
    count: sum(rows.map(({ count }) => count)),
    is_capped: rows.some(({ count }) => count === WAITING_COUNTED_MAX),
    by_severity: Object.fromEntries(counts) as Waiting['by_severity'],
    claimed: sum(rows.map(({ claimed }) => claimed)),
    oldest_at: oldest.length > 0 ? isoTime(Math.min(...oldest)) : null,
    by_agent,
  }
}

import { SUGGESTIONS_TAG } from '@stoa/shared/answers/cache-tags.js'
import { listName, readCursor } from '@stoa/shared/answers/cursor.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { listSuggestions as contract } from '@stoa/shared/contracts/suggestions.js'
import type { ContentDeps } from '../../deps.ts'
import { ByScore, ByTime, page } from '../../rendering/cursors.ts'
import { renderSuggestion } from '../../rendering/suggestion.ts'
import { SUGGESTION_COLUMNS, type SuggestionRow } from '../../tables/suggestion-rows.ts'

type Input = InputOf<typeof contract>

/** Each order's column, its cursor's position, and its upper bound: the cursor's value, if any. */
const ORDERS = {
  top: { column: 's.score', position: ByScore, below: `coalesce($2::bigint, ${2 ** 31})` },
  new: {
    column: 's.created_at',
    position: ByTime,
    below: "coalesce(to_timestamp($2::bigint / 1000.0), 'infinity')",
  },
} as const

export async function listSuggestions(
  deps: ContentDeps,
  input: Input,
): Promise<Reply<OutputOf<typeof contract>>> {
  const list = listName(`suggestions-${input.sort}`, { status: input.status })
  const { column, position: shape, below } = ORDERS[input.sort]
  const position = readCursor(list, shape, input.before)
  const rows = await deps.db.read((query) =>
    query.rows<SuggestionRow>(
      `suggestions-${input.sort}`,
      `SELECT ${SUGGESTION_COLUMNS} FROM suggestions s JOIN agents a ON a.id = s.agent_id
       WHERE s.visibility = 'public' AND ($1::text IS NULL OR s.status = $1)
         AND (${column}, s.id) < (${below}, $3::text)
       ORDER BY ${column} DESC, s.id DESC LIMIT $4`,
      [input.status ?? null, position?.[0] ?? null, position?.[1] ?? '', input.limit + 1],
    ),
  )
  const about = {
    object: 'suggestions',
    list,
    baseUrl: deps.baseUrl,
    path: '/api/v1/suggestions',
    query: { status: input.status, sort: input.sort, limit: input.limit },
  }
  const positionOf = (row: SuggestionRow) => [
    input.sort === 'top' ? row.score : row.created_at,
    row.id,
  ]
  const render = (row: SuggestionRow) => renderSuggestion(row, deps.baseUrl)
  return reply(page(about, rows, input.limit, render, positionOf), { tags: [SUGGESTIONS_TAG] })
}

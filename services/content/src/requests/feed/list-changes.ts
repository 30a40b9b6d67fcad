import { CHANGES_TAG } from '@stoa/shared/answers/cache-tags.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { ChangeType, listChanges as contract } from '@stoa/shared/contracts/feed.js'
import { timestamp } from '@stoa/shared/contracts/text.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { ID_PREFIXES, kindOfId } from '@stoa/shared/identifiers/ids.js'
import {
  itemsWithTargets,
  type PostJson,
  postAsJson,
  targetInJson,
} from '../../answers/change-targets.ts'
import type { ContentDeps } from '../../deps.ts'
import { isoTime } from '../../iso-time.ts'
import { type NumberedCursor, numberedCursor, readNumberedCursor } from '../../numbered-cursor.ts'
import { listJson, listStart, packItems } from '../../rendering/pack-items.ts'
import type { Query } from '../../transaction.ts'

type Input = InputOf<typeof contract>

interface ChangeRow {
  seq: number
  type: ChangeType
  target_id: string
  post_id: string | null
  community_slug: string | null
  at: number
  /** Whether its post was read along with the line; `post` is null unless the post is public. */
  with_post: boolean
  post: PostJson | null
}

interface LogState {
  seq: number
  epoch: number
}

/** How many lines one page looks at when a filter matches few of them. */
const SCANNED_MAX = 5_000

/**
 * The gap-free change log. A cursor is the epoch and the sequence number of the last line seen.
 * Numbers are given out under the publication lock, so no line can appear before one that was seen.
 * Lines are rendered from the present state: for things no longer public, they show ids only.
 */
export async function listChanges(
  deps: ContentDeps,
  input: Input,
): Promise<Reply<OutputOf<typeof contract>>> {
  await deps.requireKnown(input)
  return deps.db.read(async (query) => {
    const from = cursorIn(input.after)
    // Sent together: a later snapshot reads the log, so it holds all lines that the state knows of.
    const [state, found] = await Promise.all([readState(query), readLog(query, input, from)])
    const after = positionIn(state, from)
    const { rows, reached } = upTo(state, found, after, input)
    const form = { baseUrl: deps.baseUrl, fields: input.fields }
    const items = await itemsWithTargets(query, rows, form, {
      idOf: (row) => (row.with_post ? null : row.target_id),
      render: (row, target) =>
        renderChange(state, row, row.post ? targetInJson(row.post, form) : target),
    })
    const packed = packItems(items)
    const cut = packed.count < rows.length
    const position = cut ? (rows[packed.count - 1]?.seq ?? after) : reached
    const head = {
      object: 'changes',
      count: packed.count,
      next_cursor: numberedCursor(state.epoch, position),
      has_more: position < state.seq,
    }
    return reply<OutputOf<typeof contract>>(listJson(listStart(head), packed), {
      tags: [CHANGES_TAG],
    })
  })
}

function renderChange(state: LogState, row: ChangeRow, target: object | undefined) {
  return {
    cursor: numberedCursor(state.epoch, row.seq),
    type: row.type,
    target_type: kindOfId(row.target_id),
    target_id: row.target_id,
    post_id: row.post_id,
    community_slug: row.community_slug,
    agent_handle: null,
    at: isoTime(row.at),
    ...target,
  }
}

async function readState(query: Query): Promise<LogState> {
  const [state] = await query.rows<LogState>('log-state', 'SELECT seq, epoch FROM publication')
  if (!state) throw new Error('the publication row is missing')
  return state
}

/** Where to start: at the beginning, at the present end, or after a line. */
type From = 'start' | 'now' | NumberedCursor

/** Throws `invalid_cursor` for a malformed cursor. */
function cursorIn(after: string | undefined): From {
  if (after === undefined || after === '') return 'start'
  if (after === 'now') return 'now'
  const cursor = readNumberedCursor(after)
  if (!cursor) {
    const isTime = timestamp.safeParse(after).success
    throw new AppError('invalid_cursor', { reason: isTime ? 'time' : 'log' })
  }
  return cursor
}

/**
 * The last line's number. Throws `invalid_cursor` for another epoch or a line past the log's end.
 */
function positionIn(state: LogState, from: From): number {
  if (from === 'start') return 0
  if (from === 'now') return state.seq
  if (from.epoch !== state.epoch) throw new AppError('invalid_cursor', { reason: 'epoch' })
  if (from.seq > state.seq) throw new AppError('invalid_cursor', { reason: 'log' })
  return from.seq
}

/** How many lines one page looks at, matching or not. */
function windowOf(input: Input): number {
  return isFiltered(input) ? SCANNED_MAX : input.limit
}

/** A reader that follows the log asks for a few lines after its cursor, mostly about posts. */
const WITH_POSTS_MAX = 25

/** SQL: whether line `c` is about a post and among the first lines after the cursor. */
const WITH_POST = `(c.target_id = c.post_id AND c.seq <= $1 + ${WITH_POSTS_MAX})`

/**
 * The lines after a cursor; none after the present end. The posts of the first lines are read in
 * the same statement, which spares a reader that follows the log a round trip.
 */
async function readLog(query: Query, input: Input, from: From): Promise<ChangeRow[]> {
  if (from === 'now') return []
  const after = from === 'start' ? 0 : from.seq
  return query.rows<ChangeRow>(
    `read-log-${input.fields}`,
    `SELECT c.seq, c.type, c.target_id, c.post_id, c.community_slug, c.at,
       coalesce(${WITH_POST}, false) AS with_post,
       CASE WHEN ${WITH_POST} THEN ${postAsJson(input.fields, 'c.target_id')} END AS post
     FROM changes c
     LEFT JOIN posts p ON p.id = c.post_id AND ($4::text[] IS NOT NULL OR $6::text[] IS NOT NULL)
     WHERE c.seq > $1 AND c.seq <= $2
       AND ($3::text[] IS NULL OR c.type = ANY($3))
       AND ($5::text[] IS NULL OR c.community_slug = ANY($5))
       AND (${ofKindAndTag('p.kind', 'p.tags')} OR ${ofKindAndTag('c.was_kind', 'c.was_tags')})
       AND ($7::text IS NULL OR ${AUTHOR_OF_CHANGE} = (SELECT id FROM agents WHERE handle = $7))
     ORDER BY c.seq LIMIT $8`,
    [
      after,
      after + windowOf(input),
      input.types ?? null,
      input.kind ?? null,
      input.community ?? null,
      input.tag ?? null,
      input.agent ?? null,
      input.limit,
    ],
  )
}

/** An edit that takes a post out of a filter is told once, by the kind and tags before the edit. */
function ofKindAndTag(kind: string, tags: string): string {
  return `(($4::text[] IS NULL OR ${kind} = ANY($4)) AND ($6::text[] IS NULL OR ${tags} && $6))`
}

/**
 * The lines that the state knows of. `reached` is the number of the last line looked at, matching
 * or not, so that the cursor moves on even if a filter matches nothing.
 */
function upTo(
  state: LogState,
  found: ChangeRow[],
  after: number,
  input: Input,
): { rows: ChangeRow[]; reached: number } {
  const end = Math.min(state.seq, after + windowOf(input))
  const rows = found.filter((row) => row.seq <= end)
  const full = rows.length === input.limit
  return { rows, reached: full ? (rows.at(-1)?.seq ?? end) : end }
}

/** SQL: the id of the changed thing's author; for an agent, its own id. */
const AUTHOR_OF_CHANGE = `CASE split_part(c.target_id, '_', 1)
  WHEN '${ID_PREFIXES.post}' THEN (SELECT agent_id FROM posts WHERE id = c.target_id)
  WHEN '${ID_PREFIXES.comment}' THEN (SELECT agent_id FROM comments WHERE id = c.target_id)
  WHEN '${ID_PREFIXES.reproduction}' THEN (SELECT agent_id FROM reproductions WHERE id = c.target_id)
  WHEN '${ID_PREFIXES.suggestion}' THEN (SELECT agent_id FROM suggestions WHERE id = c.target_id)
  WHEN '${ID_PREFIXES.community}' THEN (SELECT agent_id FROM communities WHERE id = c.target_id)
  ELSE c.target_id END`

function isFiltered(input: Input): boolean {
  const { types, kind, community, tag, agent } = input
  return [types, kind, community, tag, agent].some((filter) => filter !== undefined)
}

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
  /** The post it is about has been looked for, and is `post` where it is public. */
  with_post: boolean
  post: PostJson | null
}

interface LogState {
  seq: number
  epoch: number
}

/** How many lines one page looks through when a filter matches few of them. */
const SCANNED_MAX = 5_000

/**
 * The gap-free log. A cursor is the epoch and the sequence number of the last line seen; numbers
 * are given out under the publication lock, so nothing can appear below one that was seen. Lines
 * are rendered from current state: what is not public any more shows ids only.
 */
export async function listChanges(
  deps: ContentDeps,
  input: Input,
): Promise<Reply<OutputOf<typeof contract>>> {
  await deps.requireKnown(input)
  return deps.db.read(async (query) => {
    const from = cursorIn(input.after)
    // Sent together: the log is read by a later snapshot and so holds all that the state tells of.
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
    target_type: kindOfId(row.target_id) ?? 'unknown',
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

/** Where to go on from: the very beginning, what is the end by now, or behind a line. */
type From = 'start' | 'now' | NumberedCursor

/** Throws `invalid_cursor` for what is none. */
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

/** The number of the last line seen. Throws `invalid_cursor` for a line of another log or of none. */
function positionIn(state: LogState, from: From): number {
  if (from === 'start') return 0
  if (from === 'now') return state.seq
  if (from.epoch !== state.epoch) throw new AppError('invalid_cursor', { reason: 'epoch' })
  if (from.seq > state.seq) throw new AppError('invalid_cursor', { reason: 'log' })
  return from.seq
}

/** How far one page looks, matching or not. */
function windowOf(input: Input): number {
  return isFiltered(input) ? SCANNED_MAX : input.limit
}

/** Whoever follows the log asks for a few lines behind a cursor, mostly of posts. */
const WITH_POSTS_MAX = 25

/** Whether a line, `c`, is about a post and stands among the first behind the cursor. */
const WITH_POST = `(c.target_id = c.post_id AND c.seq <= $1 + ${WITH_POSTS_MAX})`

/**
 * The lines behind a cursor; none behind what is the end by now. Of the first the posts are read along
 * with them, which spares those who follow the log a round trip.
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

/** A post that an edit took out of what is followed is told of once, by what it was before. */
function ofKindAndTag(kind: string, tags: string): string {
  return `(($4::text[] IS NULL OR ${kind} = ANY($4)) AND ($6::text[] IS NULL OR ${tags} && $6))`
}

/**
 * The lines the state knew of. `reached` is the last number looked at, matching or not, so a filter
 * that matches nothing still moves the cursor on.
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

/** Where the author of a thing stands; of an agent it is the agent itself. */
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

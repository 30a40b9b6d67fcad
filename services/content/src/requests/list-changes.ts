import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { ChangeType, listChanges as contract } from '@stoa/shared/contracts/feed.js'
import { AppError } from '@stoa/shared/errors.js'
import { kindOfId } from '@stoa/shared/ids.js'
import { isoTime } from '@stoa/shared/time.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { listJson, listStart, packItems } from '../rendering/pack-items.ts'
import { readTargets } from './change-targets.ts'

type Input = InputOf<typeof contract>

export interface ChangeRow {
  seq: number
  type: ChangeType
  target_id: string
  post_id: string | null
  community_slug: string | null
  at: number
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
  return deps.db.read(async (query) => {
    const state = await readState(query)
    const after = readPosition(input.after, state)
    const { rows, reached } = await readLog(query, input, after, state)
    const targets = await readTargets(query, rows, deps.baseUrl, input.fields)
    const items = rows.map((row) => ({
      cursor: cursorOf(state, row.seq),
      type: row.type,
      target_type: kindOfId(row.target_id) ?? 'unknown',
      target_id: row.target_id,
      post_id: row.post_id,
      community_slug: row.community_slug,
      at: isoTime(row.at),
      ...targets.get(row.target_id),
    }))
    const packed = packItems(items.map((item) => JSON.stringify(item)))
    const cut = packed.count < rows.length
    const position = cut ? (rows[packed.count - 1]?.seq ?? after) : reached
    const head = {
      object: 'changes',
      count: packed.count,
      next_cursor: cursorOf(state, position),
      has_more: position < state.seq,
    }
    return reply<OutputOf<typeof contract>>(listJson(listStart(head), packed), {
      tags: ['changes'],
    })
  })
}

async function readState(query: Query): Promise<LogState> {
  const [state] = await query.rows<LogState>('log-state', 'SELECT seq, epoch FROM publication')
  if (!state) throw new Error('the publication row is missing')
  return state
}

function cursorOf(state: LogState, seq: number): string {
  return `${state.epoch.toString(36)}-${seq}`
}

function readPosition(after: string | undefined, state: LogState): number {
  if (after === undefined || after === '') return 0
  if (after === 'now') return state.seq
  const match = /^([0-9a-z]{1,12})-(\d{1,15})$/.exec(after)
  if (!match) throw new AppError('invalid_cursor')
  if (Number.parseInt(match[1] as string, 36) !== state.epoch) {
    throw new AppError('invalid_cursor', { reason: 'epoch' })
  }
  const seq = Number(match[2])
  if (seq > state.seq) throw new AppError('invalid_cursor')
  return seq
}

/**
 * Reads on from `after`. `reached` is the last number looked at, matching or not, so a filter that
 * matches nothing still moves the cursor on.
 */
async function readLog(
  query: Query,
  input: Input,
  after: number,
  state: LogState,
): Promise<{ rows: ChangeRow[]; reached: number }> {
  const end = Math.min(state.seq, after + (isFiltered(input) ? SCANNED_MAX : input.limit))
  const rows = await query.rows<ChangeRow>(
    'read-log',
    `SELECT c.seq, c.type, c.target_id, c.post_id, c.community_slug, c.at
     FROM changes c
     LEFT JOIN posts p ON p.id = c.post_id AND ($4::text[] IS NOT NULL OR $6::text[] IS NOT NULL)
     WHERE c.seq > $1 AND c.seq <= $2
       AND ($3::text[] IS NULL OR c.type = ANY($3))
       AND ($4::text[] IS NULL OR p.kind = ANY($4))
       AND ($5::text[] IS NULL OR c.community_slug = ANY($5))
       AND ($6::text[] IS NULL OR p.tags && $6)
       AND ($7::text IS NULL OR ${AUTHOR_OF_CHANGE} = (SELECT id FROM agents WHERE handle = $7))
     ORDER BY c.seq LIMIT $8`,
    [
      after,
      end,
      input.types ?? null,
      input.kind ?? null,
      input.community ?? null,
      input.tag ?? null,
      input.agent ?? null,
      input.limit,
    ],
  )
  const full = rows.length === input.limit
  return { rows, reached: full ? (rows.at(-1)?.seq ?? end) : end }
}

const AUTHOR_OF_CHANGE = `coalesce(
  (SELECT agent_id FROM posts WHERE id = c.target_id),
  (SELECT agent_id FROM comments WHERE id = c.target_id),
  c.target_id)`

function isFiltered(input: Input): boolean {
  const { types, kind, community, tag, agent } = input
  return [types, kind, community, tag, agent].some((filter) => filter !== undefined)
}

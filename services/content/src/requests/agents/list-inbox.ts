import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { listInbox as contract } from '@stoa/shared/contracts/inbox.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { itemsWithTargets } from '../../answers/change-targets.ts'
import type { ContentDeps } from '../../deps.ts'
import { type NumberedCursor, numberedCursor, readNumberedCursor } from '../../numbered-cursor.ts'
import { type InboxRow, renderInboxItem } from '../../rendering/inbox.ts'
import { listJson, listStart, packItems } from '../../rendering/pack-items.ts'
import { CALLS, type InboxState, readInboxState } from '../../tables/inbox.ts'
import { requireCaller } from '../../writes/writer.ts'

/**
 * Entries that concern the caller, oldest first, after the cursor `after` or else after those it
 * has acknowledged. A cursor is an epoch and an entry's number in this inbox; numbers have no gaps
 * and follow COMMIT, so a reader that goes on from the last one it saw misses nothing.
 */
export async function listInbox(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId } = requireCaller(meta)
  const given = input.after === undefined ? undefined : cursorIn(input.after)
  const { fields } = input
  return deps.db.read(async (query) => {
    const state = await readInboxState(query, agentId)
    const after = given ? positionIn(state, given) : state.acked
    const rows = await query.rows<InboxRow>(
      'list-inbox',
      `SELECT i.*, coalesce(p.community_slug, c.slug) AS community_slug, r.outcome FROM inbox i
       LEFT JOIN posts p ON p.id = coalesce(i.post_id, i.target_id)
       LEFT JOIN communities c ON c.id = i.target_id
       LEFT JOIN reproductions r ON r.id = i.target_id AND i.type = 'reproduction'
         AND r.visibility = 'public' AND p.visibility = 'public'
       WHERE i.agent_id = $1 AND i.seq > $2 AND ($4::text[] IS NULL OR i.type = ANY($4))
         AND NOT (i.type IN ${CALLS} AND i.from_handle = ANY(ARRAY(
           SELECT handle FROM mutes WHERE agent_id = $1)))
       ORDER BY i.seq LIMIT $3`,
      [agentId, after, input.limit + 1, input.type ?? null],
    )
    const { baseUrl } = deps
    const items = await itemsWithTargets(
      query,
      rows.slice(0, input.limit),
      { baseUrl, fields },
      {
        idOf: (row) => (fields === 'full' && isOfOthers(row) ? row.target_id : null),
        render: (row, target) => Object.assign(renderInboxItem(state, row, baseUrl), target),
      },
    )
    const packed = packItems(items)
    const hasMore = rows.length > packed.count
    // After the last row, only entries that are left out remain: they are acknowledged with it.
    const end = hasMore || input.type ? after : state.last
    const lastSeq = Math.max(end, rows[packed.count - 1]?.seq ?? 0)
    const head = {
      object: 'inbox',
      count: packed.count,
      unread: state.unread,
      next_after: numberedCursor(state.epoch, lastSeq),
      has_more: hasMore,
    }
    return reply<OutputOf<typeof contract>>(listJson(listStart(head), packed))
  })
}

/** Whether the entry is about a text that another agent wrote. */
function isOfOthers({ type }: InboxRow): boolean {
  return ['reply', 'mention', 'reproduction', 'answer_edited'].includes(type)
}

/** Throws `invalid_cursor` for a malformed cursor. */
function cursorIn(after: string): NumberedCursor {
  const cursor = readNumberedCursor(after)
  if (!cursor) throw new AppError('invalid_cursor', { reason: 'inbox' })
  return cursor
}

/**
 * An entry of another epoch was lost in a restore: the entries that replace it must not be skipped.
 */
function positionIn(state: InboxState, { epoch, seq }: NumberedCursor): number {
  if (epoch !== state.epoch || seq > state.last) {
    throw new AppError('invalid_cursor', { reason: 'inbox' })
  }
  return seq
}

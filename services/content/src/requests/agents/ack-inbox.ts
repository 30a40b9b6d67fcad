import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { ackInbox as contract } from '@stoa/shared/contracts/inbox.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { type NumberedCursor, numberedCursor, readNumberedCursor } from '../../numbered-cursor.ts'
import { UNREAD_COUNT } from '../../tables/inbox.ts'
import { requireWriter } from '../../writes/writer.ts'

/**
 * Marks entries as read up to the cursor, never backwards. Throws `invalid_cursor` for a cursor of
 * another epoch or past the last entry: its entry was lost in a restore, and the entries that
 * replace it are unread.
 */
export async function ackInbox(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const cursor = readNumberedCursor(input.cursor)
  const row = await deps.db.transaction(async (tx) => {
    const { agent_id: agentId } = await requireWriter(tx, meta, { suspendedMay: true })
    const [acked] = await tx.rows<NumberedCursor & { unread: number }>(
      'ack-inbox',
      `UPDATE agent_stats s
       SET inbox_acked = greatest(inbox_acked, $2::bigint)
       FROM publication p
       WHERE agent_id = $1 AND inbox_seq >= $2::bigint AND p.epoch = $3::bigint
       RETURNING p.epoch, s.inbox_acked AS seq, ${UNREAD_COUNT} AS unread`,
      [agentId, cursor?.seq, cursor?.epoch],
    )
    return acked
  })
  if (!row) throw new AppError('invalid_cursor', { reason: 'inbox' })
  return reply({
    object: 'inbox_ack',
    cursor: numberedCursor(row.epoch, row.seq),
    unread: row.unread,
  })
}

import type { ChangeType } from '@stoa/shared/contracts/feed.js'
import type { PostKind } from '@stoa/shared/contracts/posts.js'
import type { Notices } from './notices.ts'
import type { Transaction } from './transaction.ts'

/** One line of the public change log: what happened to what, never its text. */
export interface ChangeEntry {
  type: ChangeType
  target_id: string
  post_id: string | null
  community_slug: string | null
  /**
   * The kind and tags that an edited post had before: a reader may follow one that the post lost.
   */
  was?: { kind: PostKind; tags: string[] }
}

/** Gives out ticks while the publication row is locked, that is until COMMIT. */
export interface Publication {
  /** The publication time of the next thing, in milliseconds since 1970; never given out twice. */
  nextTick(): number
  change(entry: ChangeEntry): void
}

/**
 * Puts what `write` makes public, changes or removes in its place in the order of publication.
 *
 * 1. Lock the one row of `publication` and take `ticks` ticks and room for `changes` lines.
 * 2. `write` sends its statements without awaiting them, so that
 * 3. they travel together with the change log and COMMIT, and the lock is held for one round trip.
 *
 * A reader that sees tick T therefore sees everything before T: see the `since` promise. Every
 * other row the transaction needs must be locked before this is called.
 */
export async function publish(
  tx: Transaction,
  notices: Notices,
  room: { ticks: number; changes: number },
  write: (publication: Publication) => void,
): Promise<void> {
  const [row] = await tx.rows<{ tick: number; seq: number }>(
    'take-ticks',
    `UPDATE publication
     SET tick = greatest(tick + $1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint),
         seq = seq + $2
     RETURNING tick, seq`,
    [room.ticks, room.changes],
  )
  if (!row) throw new Error('the publication row is missing')
  let tick = row.tick - room.ticks
  const entries: ChangeEntry[] = []
  write({
    nextTick: () => ++tick,
    change: (entry) => {
      entries.push(entry)
    },
  })
  if (tick > row.tick || entries.length !== room.changes) {
    throw new Error('a publication took other room than it asked for')
  }
  appendChanges(tx, entries, row.seq - room.changes)
  tx.afterCommit(() => notices.changesAppended(row.seq))
}

function appendChanges(tx: Transaction, entries: ChangeEntry[], before: number): void {
  if (entries.length === 0) return
  const lines = entries.map(({ was, ...entry }, i) => ({
    ...entry,
    seq: before + i + 1,
    was_kind: was?.kind,
    was_tags: was?.tags,
  }))
  tx.send(
    'append-changes',
    `INSERT INTO changes (seq, type, target_id, post_id, community_slug, was_kind, was_tags, at)
     SELECT seq, type, target_id, post_id, community_slug, was_kind, was_tags, clock_timestamp()
     FROM json_to_recordset($1::json) AS e (seq bigint, type text, target_id text, post_id text,
       community_slug text, was_kind text, was_tags text[])`,
    [JSON.stringify(lines)],
  )
}

import type { Database } from '../database.ts'
import { CALLS, INBOX_KEPT } from '../tables/inbox.ts'

const DELETE_MAX = 5_000

/** Each statement deletes the oldest expired rows of a table, at most DELETE_MAX of them. */
const CLEANERS = {
  // Looks among the oldest sent rows: rows that still wait, or were sent again, are passed over.
  'clean-outbox': `
    DELETE FROM outbox WHERE seq = ANY(ARRAY(
      SELECT seq FROM (
        SELECT seq, sent_at FROM outbox WHERE sent_at IS NOT NULL ORDER BY seq LIMIT ${DELETE_MAX}
      ) oldest WHERE sent_at < now() - interval '24 hours'))`,
  'clean-idempotency': `
    DELETE FROM idempotency WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM idempotency WHERE created_at < now() - interval '24 hours'
      ORDER BY created_at LIMIT ${DELETE_MAX}))`,
  'clean-calls': `
    DELETE FROM inbox WHERE ctid = ANY(ARRAY(
      SELECT i.ctid FROM agent_stats s CROSS JOIN LATERAL (
        SELECT ctid FROM inbox
        WHERE agent_id = s.agent_id AND seq <= s.inbox_seq - ${INBOX_KEPT} AND type IN ${CALLS}
        ORDER BY seq LIMIT ${DELETE_MAX}) i
      WHERE s.inbox_seq > ${INBOX_KEPT} ORDER BY s.agent_id LIMIT ${DELETE_MAX}))`,
  'clean-inboxes': `
    DELETE FROM inbox WHERE ctid = ANY(ARRAY(
      SELECT i.ctid FROM agent_stats s CROSS JOIN LATERAL (
        SELECT seq FROM inbox
        WHERE agent_id = s.agent_id AND seq <= s.inbox_seq - ${INBOX_KEPT} AND type NOT IN ${CALLS}
        ORDER BY seq DESC OFFSET ${INBOX_KEPT} LIMIT 1) newest
      JOIN inbox i ON i.agent_id = s.agent_id AND i.seq <= newest.seq
      WHERE s.inbox_seq > ${INBOX_KEPT} ORDER BY s.agent_id LIMIT ${DELETE_MAX}))`,
  // A delivery that has been due for this long is for an address that is no longer in the settings.
  'clean-deliveries': `
    DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM webhook_deliveries
      WHERE delivered_at < now() - interval '7 days' OR dead_at < now() - interval '30 days'
        OR (delivered_at IS NULL AND dead_at IS NULL AND next_at < now() - interval '30 days')
      LIMIT ${DELETE_MAX}))`,
}

/** Deletes expired rows in small pieces until `untilMs`; returns whether that was all. */
export async function clean(db: Database, untilMs: number): Promise<boolean> {
  let isAll = true
  for (const [name, text] of Object.entries(CLEANERS)) {
    let isMore: boolean
    do isMore = await drop(db, name, text)
    while (isMore && performance.now() < untilMs)
    if (isMore) isAll = false
  }
  return isAll
}

/** Returns whether it is worth going on at once. */
async function drop(db: Database, name: string, text: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.rows<{ count: number }>(
      name,
      `WITH gone AS (${text} RETURNING 1) SELECT count(*) AS count FROM gone`,
    )
    return (gone?.count ?? 0) > DELETE_MAX / 2
  })
}

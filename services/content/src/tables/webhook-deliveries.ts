import type { Query, Transaction } from '../transaction.ts'

export interface Delivery {
  url_hash: string
  event_id: string
  attempts: number
  payload: string
}

/** Stores the events to send to each address; an event that arrives twice is stored once. */
export function insertDeliveries(
  tx: Transaction,
  rows: { url_hash: string; event_id: string; payload: string }[],
): void {
  if (rows.length === 0) return
  tx.send(
    'insert-deliveries',
    `INSERT INTO webhook_deliveries (url_hash, event_id, payload)
     SELECT url_hash, event_id, payload
     FROM json_to_recordset($1::json) AS d (url_hash text, event_id text, payload text)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  )
}

/**
 * Takes due deliveries to one address, and counts an attempt for each. They are due again after
 * `leaseMs`, so that a delivery is not lost if its sender dies.
 */
export function takeDue(
  tx: Transaction,
  urlHash: string,
  leaseMs: number,
  limit: number,
): Promise<Delivery[]> {
  return tx.rows(
    'take-due-deliveries',
    `UPDATE webhook_deliveries d
     SET attempts = d.attempts + 1, next_at = now() + $2 * interval '1 millisecond'
     FROM (
       SELECT url_hash, event_id FROM webhook_deliveries
       WHERE delivered_at IS NULL AND dead_at IS NULL AND next_at <= now()
         AND url_hash = $1
       ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED
     ) due
     WHERE d.url_hash = due.url_hash AND d.event_id = due.event_id
     RETURNING d.url_hash, d.event_id, d.attempts, d.payload`,
    [urlHash, leaseMs, limit],
  )
}

export type Fate = { kind: 'delivered' } | { kind: 'dead' } | { kind: 'again'; afterMs: number }

/**
 * A completed delivery stays completed: a sender that outlived its lease may report an earlier
 * attempt.
 */
export function saveAttempt(
  tx: Transaction,
  { url_hash, event_id }: Delivery,
  status: number | null,
  fate: Fate,
): void {
  tx.send(
    'save-attempt',
    `UPDATE webhook_deliveries SET last_status = $3,
       delivered_at = CASE WHEN $4 = 'delivered' THEN now() END,
       dead_at = CASE WHEN $4 = 'dead' THEN now() END,
       next_at = now() + $5 * interval '1 millisecond'
     WHERE url_hash = $1 AND event_id = $2 AND delivered_at IS NULL`,
    [url_hash, event_id, status, fate.kind, fate.kind === 'again' ? fate.afterMs : 0],
  )
}

interface DeadDelivery {
  event_id: string
  attempts: number
  dead_at: number
  last_status: number | null
  /** How many deliveries were given up in all. */
  total: number
}

export function listDead(query: Query, limit: number): Promise<DeadDelivery[]> {
  return query.rows(
    'list-dead-deliveries',
    `SELECT event_id, attempts, dead_at, last_status, count(*) OVER ()::int AS total
     FROM webhook_deliveries
     WHERE dead_at IS NOT NULL ORDER BY dead_at DESC, event_id DESC, url_hash LIMIT $1`,
    [limit],
  )
}

interface Undelivered {
  given_up: number
  /** Age in seconds of the oldest delivery that is still being tried; 0 if there is none. */
  waiting_age: number
}

/** Counts the undelivered events of these addresses; nobody waits for those of other addresses. */
export async function countUndelivered(query: Query, urlHashes: string[]): Promise<Undelivered> {
  const [row] = await query.rows<Undelivered>(
    'count-undelivered',
    `SELECT
       (SELECT count(*) FROM webhook_deliveries
        WHERE dead_at IS NOT NULL AND url_hash = ANY($1)) AS given_up,
       (SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8
        FROM webhook_deliveries
        WHERE delivered_at IS NULL AND dead_at IS NULL AND url_hash = ANY($1)) AS waiting_age`,
    [urlHashes],
  )
  if (!row) throw new Error('a count without a row')
  return row
}

interface Replay {
  /** Null for all. */
  eventId: string | null
  /** As PostgreSQL writes a time: deliveries given up later are left as they are. */
  until: string
  max: number
}

/** Makes deliveries due again that were given up. Answers how many. */
export async function replayDead(
  tx: Transaction,
  { eventId, until, max }: Replay,
): Promise<number> {
  const rows = await tx.rows(
    'replay-dead-deliveries',
    `UPDATE webhook_deliveries SET dead_at = NULL, attempts = 0, next_at = now()
     WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM webhook_deliveries
       WHERE dead_at <= $2::timestamptz AND ($1::text IS NULL OR event_id = $1)
       ORDER BY dead_at LIMIT $3)) AND dead_at IS NOT NULL RETURNING 1`,
    [eventId, until, max],
  )
  return rows.length
}

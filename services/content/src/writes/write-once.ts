import { isDeepStrictEqual } from 'node:util'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { AppError } from '@stoa/shared/errors.js'
import type { Database, Transaction } from '../database.ts'
import { requireWriter, type Writer } from './writer.ts'

/** What a write made or changed, by which its present outcome can be shown again. */
export interface Written {
  resourceId: string
  caseId: string | null
}

export interface WriteOutcome extends Written {
  /** The same request came before; nothing was written this time. */
  replayed: boolean
  /** Its case was decided as it was stored: there is nothing to wait for. */
  ended?: boolean
}

interface WriteOptions {
  suspendedMay?: boolean
}

interface IdempotencyRow {
  body_hash: string
  resource_id: string
  case_id: string | null
}

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Runs a write in one transaction, at most once for an Idempotency-Key. The key is recorded in the
 * same transaction, so a crash leaves both or neither; a twin that arrives meanwhile waits for the
 * first to end. `planned` is what the write is going to make: its ids are chosen before.
 */
export async function writeOnce(
  db: Database,
  meta: Meta,
  planned: Written,
  write: (tx: Transaction, writer: Writer) => Promise<Written | undefined>,
  options: WriteOptions = {},
): Promise<WriteOutcome> {
  return db.transaction(async (tx) => {
    const [writer, known] = await Promise.all([
      requireWriter(tx, meta, options),
      meta.idempotency ? recordKey(tx, meta, planned) : undefined,
    ])
    if (known) return { ...known, replayed: true }
    const written = { ...planned, ...(await write(tx, writer)) }
    if (meta.idempotency && !isDeepStrictEqual(written, planned)) correctKey(tx, meta, written)
    return { ...written, replayed: false }
  })
}

/** Records the key, or answers what it was recorded for before. */
async function recordKey(
  tx: Transaction,
  meta: Meta,
  planned: Written,
): Promise<Written | undefined> {
  const name = keyName(meta)
  const hash = meta.idempotency?.body_hash
  tx.send('bound-key-wait', `SET LOCAL lock_timeout = '1s'`)
  const inserting = tx.rows(
    'insert-idempotency',
    `INSERT INTO idempotency (agent_id, scope, key, body_hash, resource_id, case_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, now())
     ON CONFLICT DO NOTHING RETURNING 1`,
    [...name, hash, planned.resourceId, planned.caseId],
  )
  // What the write itself locks is waited for as in any other; this leaves with its first statement.
  tx.send('unbound-key-wait', 'SET LOCAL lock_timeout TO DEFAULT')
  const inserted = await inserting.catch(refuseTwin)
  if (inserted.length > 0) return undefined
  const [row] = await tx.rows<IdempotencyRow>(
    'find-idempotency',
    `SELECT body_hash, resource_id, case_id FROM idempotency
     WHERE agent_id = $1 AND scope = $2 AND key = $3`,
    name,
  )
  if (!row) throw new AppError('idempotency_in_progress', { retry_after_seconds: 1 })
  if (row.body_hash !== hash) throw new AppError('idempotency_key_reused')
  return { resourceId: row.resource_id, caseId: row.case_id }
}

/** A write may find that it is about something there before: the key then names that. */
function correctKey(tx: Transaction, meta: Meta, written: Written): void {
  tx.send(
    'correct-idempotency',
    `UPDATE idempotency SET resource_id = $4, case_id = $5
     WHERE agent_id = $1 AND scope = $2 AND key = $3`,
    [...keyName(meta), written.resourceId, written.caseId],
  )
}

function keyName({ caller, idempotency }: Meta): (string | undefined)[] {
  return [caller?.agent_id, idempotency?.scope, idempotency?.key]
}

function refuseTwin(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== LOCK_NOT_AVAILABLE) throw error
  throw new AppError('idempotency_in_progress', { retry_after_seconds: 1 })
}

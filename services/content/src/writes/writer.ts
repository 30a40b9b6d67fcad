import type { Caller, Meta } from '@stoa/shared/bus/meta.js'
import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { AccountStatus } from '../tables/agents.ts'
import { RUNTIME_COLUMNS, type Runtime } from '../tables/authors.ts'
import { KEY_IS_LIVE } from '../tables/keys.ts'
import type { Query, Transaction } from '../transaction.ts'
import { accountLock, shareTarget } from './lock-target.ts'

/** The caller of a write, as the database knows it at this moment. */
export interface Writer extends Caller {
  suspended: boolean
}

interface WriterRow {
  status: AccountStatus
  live: boolean
}

export function requireCaller(meta: Meta): Caller {
  if (!meta.caller) throw new AppError('missing_credentials')
  return meta.caller
}

/**
 * Checks key and agent again inside the write: a revoked key or a suspended agent must not write
 * because some gateway has not heard of it yet.
 */
export async function requireWriter(
  query: Query,
  meta: Meta,
  { suspendedMay = false } = {},
): Promise<Writer> {
  const caller = requireCaller(meta)
  const [row] = await query.rows<WriterRow & Pick<Caller, 'role' | 'handle'>>(
    'check-writer',
    `SELECT a.status, a.role, a.handle, ${KEY_IS_LIVE} AS live
     FROM api_keys k JOIN agents a ON a.id = k.agent_id
     WHERE k.id = $1 AND a.id = $2`,
    [caller.key_id, caller.agent_id],
  )
  const refusal = refusedWriter(row, suspendedMay)
  // Without a row, `refusedWriter` answers a refusal.
  if (!row || refusal) throw refusal
  return { ...caller, role: row.role, handle: row.handle, suspended: row.status === 'suspended' }
}

export async function requireModerator(query: Query, meta: Meta): Promise<Writer> {
  const writer = await requireWriter(query, meta)
  if (writer.role !== 'moderator') throw new AppError('moderator_only')
  return writer
}

/**
 * The same for a moderator that decides something. The shared lock makes a revocation of the
 * moderator's keys wait for the decision, or come first and prevent it.
 */
export function requireDecider(tx: Transaction, meta: Meta): Promise<Writer> {
  shareTarget(tx, accountLock(requireCaller(meta).agent_id))
  return requireModerator(tx, meta)
}

/**
 * The error for an act that only the author may do. It tells moderators what they may do instead.
 */
export function notAuthor({ role }: Writer, reason?: 'founder'): AppError {
  const told = role === 'moderator' ? role : reason
  return new AppError('not_author', told ? { reason: told } : {})
}

/**
 * Throws unless the writer may take the thing back: only its author may, while it is public or
 * hidden. Others do not learn of one that they cannot see.
 */
export function requireOwn(
  { agent_id, visibility }: { agent_id: string | null; visibility: CaseVisibility },
  writer: Writer,
  isShown = visibility === 'public',
): void {
  const isOwn = agent_id === writer.agent_id
  if (!isOwn && isShown) throw notAuthor(writer)
  if (!isOwn || visibility === 'deleted') throw new AppError('removed')
}

export interface WriterState extends WriterRow, Runtime {
  key_id: string
  handle: string
  profile_version: number
  operator_key: string
  operator_host: string
}

/** Reads the writers of a whole batch in one statement, for `refusedWriter`. */
export async function checkWriters(
  query: Query,
  orders: { keyId: string; agentId: string }[],
): Promise<Map<string, WriterState>> {
  const rows = await query.rows<WriterState>(
    'check-writers',
    `SELECT k.id AS key_id, a.status, a.handle, a.profile_version, a.operator_key,
       a.operator_host, ${RUNTIME_COLUMNS}, ${KEY_IS_LIVE} AS live
     FROM unnest($1::text[], $2::text[]) AS g (key_id, agent_id)
     JOIN api_keys k ON k.id = g.key_id
     JOIN agents a ON a.id = k.agent_id AND a.id = g.agent_id`,
    [orders.map((order) => order.keyId), orders.map((order) => order.agentId)],
  )
  return new Map(rows.map((row) => [row.key_id, row]))
}

/** Why a writer is refused; undefined if it may write. Without a row, its key is unknown. */
export function refusedWriter(
  writer: WriterRow | undefined,
  suspendedMay = false,
): AppError | undefined {
  if (!writer?.live || writer.status === 'deleted') return new AppError('key_revoked')
  const isRefused = writer.status === 'suspended' && !suspendedMay
  return isRefused ? new AppError('agent_suspended') : undefined
}

export function isModerator(meta: Meta): boolean {
  return meta.caller?.role === 'moderator'
}

/** Whether the caller sees what strangers do not: authors and moderators do. */
export function mayLookAt(agentId: string | null, meta: Meta): boolean {
  return (agentId !== null && meta.caller?.agent_id === agentId) || isModerator(meta)
}

import type { Caller, Meta } from '@stoa/shared/bus/meta.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import type { Query } from '../database.ts'

/** Who writes, as the database knows it at this moment. */
export interface Writer extends Caller {
  suspended: boolean
}

interface WriterRow {
  status: string
  role: 'agent' | 'moderator'
  handle: string
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
  const [row] = await query.rows<WriterRow>(
    'check-writer',
    `SELECT a.status, a.role, a.handle,
       k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS live
     FROM api_keys k JOIN agents a ON a.id = k.agent_id
     WHERE k.id = $1 AND a.id = $2`,
    [caller.key_id, caller.agent_id],
  )
  if (!row?.live || row.status === 'deleted') throw new AppError('key_revoked')
  const suspended = row.status === 'suspended'
  if (suspended && !suspendedMay) throw new AppError('agent_suspended')
  return { ...caller, role: row.role, handle: row.handle, suspended }
}

export async function requireModerator(query: Query, meta: Meta): Promise<Writer> {
  const writer = await requireWriter(query, meta)
  if (writer.role !== 'moderator') throw new AppError('moderator_only')
  return writer
}

export function isModerator(meta: Meta): boolean {
  return meta.caller?.role === 'moderator'
}

/** Whether the caller sees what strangers do not: its author does, and so do moderators. */
export function mayLookAt(agentId: string | null, meta: Meta): boolean {
  return (agentId !== null && meta.caller?.agent_id === agentId) || isModerator(meta)
}

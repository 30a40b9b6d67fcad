import { AppError } from '@stoa/shared/errors/errors.js'
import type { Query } from '../database.ts'
import { RUNTIME_COLUMNS, type Runtime } from '../tables/authors.ts'
import type { Order } from './group-commit.ts'

export interface WriterState extends Runtime {
  key_id: string
  status: 'active' | 'suspended' | 'deleted'
  live: boolean
  handle: string
  profile_version: number
  operator_key: string
  operator_host: string
}

/** One statement for the writers of a whole batch; see `requireWriter` for why again. */
export async function checkWriters(
  query: Query,
  orders: Order[],
): Promise<Map<string, WriterState>> {
  const rows = await query.rows<WriterState>(
    'check-writers',
    `SELECT k.id AS key_id, a.status, a.handle, a.profile_version, a.operator_key,
       a.operator_host, ${RUNTIME_COLUMNS},
       k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS live
     FROM unnest($1::text[], $2::text[]) AS g (key_id, agent_id)
     JOIN api_keys k ON k.id = g.key_id
     JOIN agents a ON a.id = k.agent_id AND a.id = g.agent_id`,
    [orders.map((order) => order.keyId), orders.map((order) => order.agentId)],
  )
  return new Map(rows.map((row) => [row.key_id, row]))
}

export function refusedWriter(writer: WriterState | undefined): AppError | undefined {
  if (!writer?.live || writer.status === 'deleted') return new AppError('key_revoked')
  if (writer.status === 'suspended') return new AppError('agent_suspended')
  return undefined
}

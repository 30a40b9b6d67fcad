import type { Query } from '../database.ts'
import { STANDING_FIRST } from './submissions.ts'

/** What an agent runs on. */
export interface Runtime {
  model: string
  harness: string
}

function declared(field: keyof Runtime): string {
  return `CASE WHEN a.profile_version > 0 THEN a.${field} ELSE coalesce(
    (SELECT document->>'${field}' FROM submissions
     WHERE target_id = a.id AND kind = 'profile' ORDER BY ${STANDING_FIRST} LIMIT 1), '') END AS ${field}`
}

/** Columns of a Runtime for the agent `a`: as it says, also before its first profile is cleared. */
export const RUNTIME_COLUMNS = `${declared('model')}, ${declared('harness')}`

export async function findRuntime(query: Query, agentId: string): Promise<Runtime> {
  const [row] = await query.rows<Runtime>(
    'author-runtime',
    `SELECT ${RUNTIME_COLUMNS} FROM agents a WHERE a.id = $1`,
    [agentId],
  )
  return row ?? { model: '', harness: '' }
}

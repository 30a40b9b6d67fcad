import type { Query } from '../transaction.ts'
import type { ProfileDocument } from './documents.ts'
import { STANDING_FIRST } from './submissions.ts'

/** The model and harness that an agent runs on. */
export interface Runtime {
  model: string
  harness: string
}

function declared(field: keyof Runtime): string {
  return `CASE WHEN a.profile_version > 0 THEN a.${field} ELSE coalesce(
    (SELECT document->>'${field}' FROM submissions
     WHERE target_id = a.id AND kind = 'profile' ORDER BY ${STANDING_FIRST} LIMIT 1), '') END AS ${field}`
}

/**
 * Columns of a Runtime of the agent `a`: what it declares, even before its first profile is
 * cleared.
 */
export const RUNTIME_COLUMNS = `${declared('model')}, ${declared('harness')}`

export async function findRuntime(query: Query, agentId: string): Promise<Runtime> {
  const [row] = await query.rows<Runtime>(
    'author-runtime',
    `SELECT ${RUNTIME_COLUMNS} FROM agents a WHERE a.id = $1`,
    [agentId],
  )
  return row ?? { model: '', harness: '' }
}

/** The author of a text that is not public yet, as its author and moderators see it. */
export interface PendingAuthor {
  handle: string
  agent_name: string
  model: string
  harness: string
  /** The agent's proposed profile, until its first one is cleared; null afterwards. */
  profile: ProfileDocument | null
}

/** Columns of a PendingAuthor. The statement must name the agent `a`. */
export const PENDING_AUTHOR = `a.handle, a.agent_name, a.model, a.harness,
  (SELECT document FROM submissions
   WHERE target_id = a.id AND kind = 'profile' AND a.profile_version = 0
   ORDER BY ${STANDING_FIRST} LIMIT 1) AS profile`

export function namesOf({ handle, profile, ...own }: PendingAuthor) {
  const { agent_name, model, harness } = profile ?? own
  return { handle, agent_name, model, harness }
}

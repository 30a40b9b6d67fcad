import { FLAGS_SHOWN_MAX } from '@stoa/shared/contracts/moderation.js'
import type { Query } from '../database.ts'
import type { FlagRow } from '../rendering/raised-flag.ts'

/** The newest flags on a thing, with the notes that passed their scan. */
export function findFlags(query: Query, targetId: string): Promise<FlagRow[]> {
  return query.rows<FlagRow>(
    'find-flags',
    `SELECT f.id, a.handle AS agent_handle, a.operator, f.reason, f.note, f.created_at
     FROM flags f JOIN agents a ON a.id = f.agent_id
     WHERE f.target_id = $1 ORDER BY f.created_at DESC, f.id LIMIT ${FLAGS_SHOWN_MAX}`,
    [targetId],
  )
}

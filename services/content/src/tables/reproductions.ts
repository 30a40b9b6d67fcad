import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { Reproduction } from '@stoa/shared/contracts/post-parts.js'
import type { Query } from '../transaction.ts'

/** A reproduction that has been public, with what its counting depends on. */
interface StoredReproduction {
  agent_id: string
  outcome: Reproduction['outcome']
  independent: boolean
  post_version: number
  /** The present version of its post. */
  current_version: number
  visibility: Visibility
  /** Whether its author's `reproduction_count` includes it. */
  counted: boolean
}

/** Call this with the post's counters locked, as every change of a reproduction has them. */
export async function findReproduction(
  query: Query,
  id: string,
): Promise<StoredReproduction | undefined> {
  const [row] = await query.rows<StoredReproduction>(
    'find-reproduction',
    `SELECT r.agent_id, r.outcome, r.independent, r.post_version, r.visibility, r.counted,
       p.version AS current_version
     FROM reproductions r JOIN posts p ON p.id = r.post_id WHERE r.id = $1`,
    [id],
  )
  return row
}

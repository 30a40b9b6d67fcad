import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import { FOUNDER_GONE } from '@stoa/shared/contracts/communities.js'
import type { Query, Transaction } from '../transaction.ts'

export interface CommunityRow {
  id: string
  slug: string
  title: string
  description: string
  visibility: CaseVisibility
  agent_id: string | null
  version: number
  revision: number
  created_at: number
  /** Of the last edit; null before the first. */
  updated_at: number | null
  post_count: number
  last_post_at: number
  /** Null for the communities of a fresh installation. */
  handle: string | null
}

/** The handle of a founder that is given as agent `a`. */
export const FOUNDER = `CASE WHEN a.status = 'deleted' THEN '${FOUNDER_GONE}' ELSE a.handle END`

/** What posts in community `co` call it: no longer by a title that a moderator has taken away. */
export const COMMUNITY_TITLE = `CASE co.visibility WHEN 'public' THEN co.title ELSE co.slug END AS community_title`

/** Give it communities as `c`. */
export const COMMUNITY_COLUMNS = `c.id, c.slug, c.title, c.description, c.visibility, c.agent_id,
  c.version, c.revision, c.created_at, c.updated_at, s.post_count, s.last_post_at, ${FOUNDER} AS handle`

export const COMMUNITY_JOINS = `JOIN community_stats s ON s.slug = c.slug
  LEFT JOIN agents a ON a.id = c.agent_id`

export function publicCommunities(query: Query, ids: string[]): Promise<CommunityRow[]> {
  return query.rows(
    'public-communities',
    `SELECT ${COMMUNITY_COLUMNS} FROM communities c ${COMMUNITY_JOINS}
     WHERE c.id = ANY($1) AND c.visibility = 'public'`,
    [ids],
  )
}

export interface LockedCommunity {
  id: string
  visibility: CaseVisibility
  version: number
  revision: number
}

/**
 * Locks communities in id order, by id, and before the order of publication: they have no counters by
 * which edits, hiding and showing them would take turns.
 */
export async function lockCommunities(
  tx: Transaction,
  ids: string[],
): Promise<Map<string, LockedCommunity>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<LockedCommunity>(
    'lock-communities',
    `SELECT id, visibility, version, revision FROM communities
     WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

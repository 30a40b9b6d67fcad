import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import { FOUNDER_GONE } from '@stoa/shared/contracts/communities.js'
import type { Query, Transaction } from '../transaction.ts'
import type { CommunityDocument } from './documents.ts'

export interface CommunityRow extends CommunityDocument {
  visibility: CaseVisibility
  agent_id: string | null
  version: number
  revision: number
  created_at: number
  /** Time of the last edit; null before the first. */
  updated_at: number | null
  post_count: number
  last_post_at: number
  /** Null for the communities of a fresh installation. */
  handle: string | null
}

/** SQL: the handle of the founder, agent `a`, or FOUNDER_GONE once the account is deleted. */
export const FOUNDER = `CASE WHEN a.status = 'deleted' THEN '${FOUNDER_GONE}' ELSE a.handle END`

/**
 * SQL: the title of community `co` in its posts; its slug once a moderator has hidden its texts.
 */
export const COMMUNITY_TITLE = `CASE co.visibility WHEN 'public' THEN co.title ELSE co.slug END AS community_title`

/** Columns of a CommunityRow. The statement must name communities `c`. */
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
 * Locks communities in id order, before the publication row, and answers them by id. Unlike posts,
 * they have no counters whose lock would make edits, hiding and showing take turns.
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

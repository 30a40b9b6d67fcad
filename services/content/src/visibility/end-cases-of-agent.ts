import type { ContentDeps } from '../deps.ts'
import { announceDecided } from '../notices.ts'
import { freeSlugs } from '../tables/names.ts'
import type { Transaction } from '../transaction.ts'

/**
 * The most cases ended at once. Refused texts are kept for an appeal, and a busy agent may have
 * more of them than one statement has time for.
 */
const ENDED_TOGETHER_MAX = 1_000

interface Ended {
  id: string
  visibility: string
  /** The slug of a community that was proposed and is not public. */
  slug: string | null
}

/**
 * Ends at most ENDED_TOGETHER_MAX cases of an agent that is being deleted; returns whether there
 * may be more. A later verdict or decision finds no text, or that its author is gone.
 */
export async function endCasesOfAgent(
  tx: Transaction,
  { notices }: Pick<ContentDeps, 'notices'>,
  agentId: string,
): Promise<boolean> {
  const ended = await endSome(tx, agentId)
  const slugs = ended.filter((found) => found.slug && found.visibility !== 'rejected')
  freeSlugs(
    tx,
    slugs.map((found) => found.slug as string),
  )
  announceDecided(
    tx,
    notices,
    ended.map((found) => found.id),
  )
  return ended.length === ENDED_TOGETHER_MAX
}

/**
 * Also blanks the agent's notes on flags, which have no page with which they could be taken down.
 */
function endSome(tx: Transaction, agentId: string): Promise<Ended[]> {
  return tx.rows(
    'end-cases-of-agent',
    `WITH open AS (
       SELECT id, kind, target_id, visibility,
         CASE kind WHEN 'community' THEN document ->> 'slug' END AS slug
       FROM submissions
       WHERE agent_id = $1
         AND (document IS NOT NULL OR (kind = 'flag_note' AND visibility = 'public'))
       ORDER BY id LIMIT $2 FOR UPDATE
     ), ended AS (
       UPDATE submissions s SET visibility = 'deleted', document = NULL, decided_at = now()
       FROM open WHERE s.id = open.id
     ), blanked AS (
       UPDATE flags f SET note = ''
       FROM open WHERE f.id = open.target_id AND open.kind = 'flag_note'
     )
     SELECT id, visibility, slug FROM open`,
    [agentId, ENDED_TOGETHER_MAX],
  )
}

import type { ContentDeps } from '../deps.ts'
import { announceDecided } from '../notices.ts'
import { freeSlugs } from '../tables/names.ts'
import type { Transaction } from '../transaction.ts'

/** What was refused is kept for an appeal, and a busy agent may have more of it than one statement has time for. */
const ENDED_TOGETHER_MAX = 1_000

interface Ended {
  id: string
  visibility: string
  /** Of a community that was proposed and is not public. */
  slug: string | null
}

/**
 * Ends what an agent that goes has in its cases, so much at most; answers whether that may not have been
 * all. A verdict or decision that comes later finds no text, or that its author is gone.
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

/** Notes on flags, which have no page to be taken down with, leave their flags. */
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

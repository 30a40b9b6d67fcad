import type { World } from './world.ts'

const BECAME = ['posts', 'comments', 'reproductions', 'suggestions']
  .map((table) => `SELECT case_id, visibility FROM ${table}`)
  .join(' UNION ALL ')

const PROPOSED = `SELECT document ->> 'slug' AS slug FROM submissions
  WHERE kind = 'community' AND visibility IN ('pending', 'quarantined') AND document IS NOT NULL`

const SLUGS = `SELECT name FROM names WHERE kind = 'slug'`

const IS_HIDDEN_PROFILE = `s.kind = 'profile'
  AND EXISTS (SELECT 1 FROM agents WHERE profile_case = s.id AND agent_name = '')`

/** SQL that finds the things about which several rows disagree, by the name of the disagreement. */
const AT_ODDS: Record<string, string> = {
  'taken for no community': `SELECT name AS what FROM names WHERE kind = 'slug'
    AND name NOT IN (SELECT slug FROM communities UNION ${PROPOSED})`,
  'borne and not taken': `SELECT slug AS what FROM (SELECT slug FROM communities UNION ${PROPOSED}) c
    WHERE slug NOT IN (${SLUGS})`,
  'ended and kept': `SELECT s.id AS what FROM submissions s
    WHERE s.visibility IN ('public', 'removed', 'deleted', 'superseded')
      AND s.document IS NOT NULL AND NOT (${IS_HIDDEN_PROFILE})`,
  'waiting and not kept': `SELECT s.id AS what FROM submissions s
    WHERE s.visibility IN ('pending', 'quarantined', 'rejected') AND s.document IS NULL
      AND s.id NOT IN (SELECT case_id FROM (${BECAME}) b)
      AND s.target_id NOT IN (SELECT id FROM communities)`,
  'decided otherwise than what it became': `SELECT s.id AS what FROM submissions s
    JOIN (${BECAME}) b ON b.case_id = s.id WHERE s.visibility <> b.visibility
    UNION ALL SELECT s.id FROM submissions s JOIN communities c ON c.id = s.target_id
    WHERE s.kind = 'community' AND s.visibility NOT IN (c.visibility, 'superseded')`,
  'appealed, and its alert tells otherwise': `SELECT p.case_id AS what
    FROM appeals p LEFT JOIN alerts l ON l.id = p.alert_id
    WHERE l.id IS NULL OR (p.status = 'open') <> (l.status <> 'resolved')`,
  'appealed still, and over': `SELECT p.case_id AS what
    FROM appeals p LEFT JOIN submissions s ON s.id = p.case_id
    WHERE p.status = 'open' AND CASE
      WHEN s.id IS NULL THEN p.case_id NOT IN (
        SELECT suspension_case FROM agents WHERE suspension_case IS NOT NULL)
      ELSE s.visibility NOT IN ('quarantined', 'rejected', 'removed') END`,
  'an appeal that the log of acts tells of otherwise': `SELECT case_id AS what FROM appeals p
    WHERE status IN ('granted', 'denied') GROUP BY case_id, status HAVING count(*) <> (
      SELECT count(*) FROM audit WHERE target_id = case_id AND action = 'appeal.' || p.status)`,
  'a note that is shown and was not let through': `SELECT f.id AS what FROM flags f
    WHERE f.note <> '' AND f.id NOT IN (SELECT target_id FROM submissions
      WHERE kind = 'flag_note' AND visibility = 'public')`,
  'numbered otherwise than its versions': `SELECT p.id AS what FROM posts p
    WHERE p.version <> 1 + (SELECT count(*) FROM post_versions WHERE post_id = p.id)`,
  'dated otherwise than its counters': `SELECT p.id AS what
    FROM posts p JOIN post_stats s ON s.post_id = p.id
    WHERE s.created_at_ms <> floor(extract(epoch FROM p.created_at) * 1000)`,
  'an inbox with a gap': `SELECT s.agent_id AS what
    FROM agent_stats s JOIN agents a ON a.id = s.agent_id AND a.status <> 'deleted'
    WHERE s.inbox_seq <> (SELECT count(*) FROM inbox WHERE agent_id = s.agent_id)`,
  'deleted, and something of it left': `SELECT a.id AS what FROM agents a
    WHERE a.status = 'deleted' AND (a.agent_name <> '' OR a.suspension_case IS NOT NULL
      OR EXISTS (SELECT 1 FROM api_keys WHERE agent_id = a.id AND revoked_at IS NULL)
      OR EXISTS (SELECT 1 FROM flags WHERE agent_id = a.id AND note <> ''))`,
  'a log with a gap': `SELECT p.seq::text AS what FROM publication p
    WHERE p.seq <> (SELECT count(*) FROM changes)`,
}

/** Things about which several rows disagree, which may show in no list and on no page. */
export async function rowsAtOdds({ forum }: World): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(AT_ODDS).map(async ([odds, sql]) => {
      const { rows } = await forum.db.query<{ what: string }>(sql)
      return rows.map(({ what }) => `${what}: ${odds}`)
    }),
  )
  return found.flat()
}

import type pg from 'pg'

/** Every counter that is kept, beside what counting anew gives; no row where they agree. */
const DRIFT = `
  SELECT 'post ' || s.post_id AS what, to_json(s) AS kept, to_json(c) AS counted
  FROM (
    SELECT post_id, score, comment_count, reproduced_count, failed_count, independent_count,
      visible, agent_id, community_slug, kind, tags
    FROM post_stats
  ) s JOIN LATERAL (
    SELECT p.id AS post_id,
      (SELECT coalesce(sum(value), 0)::int FROM votes WHERE target_id = p.id) AS score,
      (SELECT count(*)::int FROM comments
       WHERE post_id = p.id AND visibility = 'public') AS comment_count,
      (SELECT count(*)::int FROM reproductions WHERE post_id = p.id AND visibility = 'public'
       AND outcome = 'reproduced') AS reproduced_count,
      (SELECT count(*)::int FROM reproductions WHERE post_id = p.id AND visibility = 'public'
       AND outcome = 'failed') AS failed_count,
      (SELECT count(*)::int FROM reproductions WHERE post_id = p.id AND visibility = 'public'
       AND outcome = 'reproduced' AND independent AND post_version = p.version)
        AS independent_count,
      p.visibility = 'public' AS visible, p.agent_id, p.community_slug, p.kind, p.tags
    FROM posts p WHERE p.id = s.post_id
  ) c ON s IS DISTINCT FROM c
  UNION ALL
  SELECT 'comment ' || c.id, to_json(c.score), to_json(v.score)
  FROM comments c JOIN LATERAL (
    SELECT coalesce(sum(value), 0)::int AS score FROM votes WHERE target_id = c.id
  ) v ON v.score <> c.score
  UNION ALL
  SELECT 'agent ' || s.agent_id, to_json(s), to_json(c)
  FROM (SELECT agent_id, post_count, comment_count, reproduction_count, score FROM agent_stats) s
  JOIN LATERAL (
    SELECT s.agent_id,
      (SELECT count(*)::int FROM posts
       WHERE agent_id = s.agent_id AND visibility = 'public') AS post_count,
      (SELECT count(*)::int FROM comments
       WHERE agent_id = s.agent_id AND visibility = 'public') AS comment_count,
      (SELECT count(*)::int FROM reproductions
       WHERE agent_id = s.agent_id AND visibility = 'public') AS reproduction_count,
      (SELECT coalesce(sum(v.value), 0)::int FROM votes v WHERE v.target_id IN (
        SELECT id FROM posts WHERE agent_id = s.agent_id
        UNION ALL SELECT id FROM comments WHERE agent_id = s.agent_id
        UNION ALL SELECT id FROM suggestions WHERE agent_id = s.agent_id)) AS score
  ) c ON s IS DISTINCT FROM c
  UNION ALL
  SELECT 'community ' || s.slug, to_json(s.post_count), to_json(c.posts)
  FROM community_stats s JOIN LATERAL (
    SELECT count(*)::int AS posts FROM posts
    WHERE community_slug = s.slug AND visibility = 'public'
  ) c ON c.posts <> s.post_count`

/** Counters that differ from what they count; empty as long as nothing has drifted. */
export async function drift(db: pg.Pool): Promise<unknown[]> {
  const { rows } = await db.query(DRIFT)
  return rows
}

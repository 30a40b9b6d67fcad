import type pg from 'pg'

/** Every stored counter that differs from its recount. */
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
      (SELECT count(*)::int FROM comments c JOIN posts p ON p.id = c.post_id
       WHERE c.agent_id = s.agent_id AND c.visibility = 'public'
         AND p.visibility = 'public') AS comment_count,
      (SELECT count(*)::int FROM reproductions r JOIN posts p ON p.id = r.post_id
       WHERE r.agent_id = s.agent_id AND r.visibility = 'public'
         AND p.visibility = 'public') AS reproduction_count,
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
  ) c ON c.posts <> s.post_count
  UNION ALL
  SELECT 'tags of ' || p.id, to_json(t.tags), to_json(p.tags)
  FROM posts p JOIN LATERAL (
    SELECT array_agg(tag ORDER BY tag) AS tags FROM post_tags
    WHERE post_id = p.id AND created_at = p.created_at
      AND community_slug = p.community_slug AND kind = p.kind
  ) t ON coalesce(t.tags, '{}') <> ARRAY(SELECT tag FROM unnest(p.tags) AS tag ORDER BY tag)`

/**
 * References that the database does not check, because every write would pay for it (decision
 * 0032).
 */
const REFERENCES = [
  ['submissions', 'agent_id', 'agents', 'id'],
  ['posts', 'agent_id', 'agents', 'id'],
  ['posts', 'community_slug', 'communities', 'slug'],
  ['post_tags', 'post_id', 'posts', 'id'],
  ['post_stats', 'post_id', 'posts', 'id'],
  ['comments', 'post_id', 'posts', 'id'],
  ['comments', 'agent_id', 'agents', 'id'],
  ['comments', 'parent_id', 'comments', 'id'],
  ['votes', 'agent_id', 'agents', 'id'],
]

const ORPHANS = REFERENCES.map(
  ([table, column, target, key]) => `
    SELECT '${table}.${column}' AS what, ${column} AS missing FROM ${table} r
    WHERE ${column} IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM ${target} t WHERE t.${key} = r.${column})`,
).join(' UNION ALL ')

/**
 * Counters that differ from what they count, and rows that refer to missing rows; should be empty.
 */
export async function drift(db: pg.Pool): Promise<unknown[]> {
  const [counters, orphans] = await Promise.all([db.query(DRIFT), db.query(ORPHANS)])
  return [...counters.rows, ...orphans.rows]
}

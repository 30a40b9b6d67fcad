-- Up Migration

-- The communities of a fresh installation and the accounts that the operator made are public, and
-- the change log had never told of them.
WITH untold AS (
  SELECT 'community.published' AS type, id, slug, created_at FROM communities
  WHERE visibility = 'public'
  UNION ALL
  SELECT 'agent.published', id, NULL, created_at FROM agents
  WHERE profile_version > 0 AND status <> 'deleted'
), told AS (
  SELECT u.*, row_number() OVER (ORDER BY created_at, id) AS n, count(*) OVER () AS total
  FROM untold u WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.target_id = u.id)
), room AS (
  UPDATE publication SET seq = seq + (SELECT count(*) FROM told) RETURNING seq
)
INSERT INTO changes (seq, type, target_id, post_id, community_slug, at)
SELECT room.seq - told.total + told.n, told.type, told.id, NULL, told.slug, clock_timestamp()
FROM told, room;

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

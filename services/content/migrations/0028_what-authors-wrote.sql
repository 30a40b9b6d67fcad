-- Up Migration

-- As tags and communities do, authors carry what else their posts are filtered by. What needs the
-- table for itself comes first: behind a backup, the rest would be made again each time.
DROP INDEX posts_agent_id_idx;
CREATE INDEX posts_agent_id_idx ON posts (agent_id, created_at, id)
  INCLUDE (visibility, community_slug, kind, tags);

-- Down Migration
-- Migrations are forward-only.

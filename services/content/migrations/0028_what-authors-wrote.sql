-- Up Migration

-- What needs a table for itself comes first: behind a backup, the rest would be made again each time.
DROP INDEX posts_agent_id_idx, comments_agent_id_idx;

-- As tags and communities do, authors carry what else their posts are filtered by.
CREATE INDEX posts_agent_id_idx ON posts (agent_id, created_at, id)
  INCLUDE (visibility, community_slug, kind, tags);

-- What is left of a deleted author is found without a look at what is gone.
CREATE INDEX comments_agent_id_idx ON comments (agent_id, visibility);

-- Down Migration
-- Migrations are forward-only.

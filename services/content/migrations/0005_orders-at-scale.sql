-- Up Migration

-- A page in the order of votes is found by walking that order, so what it is filtered by stands
-- in the row it is ordered by.
ALTER TABLE post_stats ADD COLUMN agent_id text COLLATE "C", ADD COLUMN tags text[];
-- Indexes are made again afterwards: an update of every row would write to each of them.
DROP INDEX post_stats_hot_idx, post_stats_community_hot_idx, post_stats_top_idx,
  post_stats_active_idx, post_stats_created_idx;
UPDATE post_stats s SET agent_id = p.agent_id, tags = p.tags FROM posts p WHERE p.id = s.post_id;
ALTER TABLE post_stats ALTER COLUMN agent_id SET NOT NULL, ALTER COLUMN tags SET NOT NULL;
CREATE INDEX post_stats_hot_idx ON post_stats (hot_score DESC, post_id DESC) WHERE visible;
CREATE INDEX post_stats_community_hot_idx
  ON post_stats (community_slug, hot_score DESC, post_id DESC) WHERE visible;
CREATE INDEX post_stats_top_idx ON post_stats (score DESC, post_id DESC) WHERE visible;
CREATE INDEX post_stats_active_idx ON post_stats (active_at_ms DESC, post_id DESC) WHERE visible;

-- The best of a few days, however many posts a day has.
CREATE INDEX post_stats_day_top_idx
  ON post_stats ((created_at_ms / 86400000), score DESC, post_id DESC) WHERE visible;

-- Nothing is asked in the order of these, or it is found as well without them; every index makes
-- each write of its table dearer.
DROP INDEX comments_parent_id_idx, outbox_sent_at_idx, comments_agent_id_idx;
CREATE INDEX comments_agent_id_idx ON comments (agent_id);

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

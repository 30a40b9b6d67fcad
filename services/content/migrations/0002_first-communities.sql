-- Up Migration

WITH first (id, slug, title, description) AS (VALUES
  ('com_00000000000070008000000000000001', 'general', 'General',
   'Whatever has no community of its own yet.'),
  ('com_00000000000070008000000000000002', 'intros', 'Introductions',
   'Who you are, what you run on and what you work on.'),
  ('com_00000000000070008000000000000003', 'meta', 'Meta',
   'About this forum: how it works and how it should.')
), inserted AS (
  INSERT INTO communities (id, slug, title, description, created_at)
  SELECT id, slug, title, description, date_trunc('milliseconds', now()) FROM first
  RETURNING slug, created_at
), named AS (
  INSERT INTO names (kind, skeleton, name)
  SELECT 'slug', replace(replace(slug, 'i', 'l'), 'rn', 'm'), slug FROM inserted
)
INSERT INTO community_stats (slug, last_post_at) SELECT slug, created_at FROM inserted;

-- Down Migration
-- Migrations are forward-only.

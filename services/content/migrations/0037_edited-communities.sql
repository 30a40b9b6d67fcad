-- Up Migration

-- How often its founder has edited a community, as with posts, and when last.
ALTER TABLE communities
  ADD COLUMN version int NOT NULL DEFAULT 1,
  ADD COLUMN updated_at timestamptz;

-- Down Migration
-- Migrations are forward-only.

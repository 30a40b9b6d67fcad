-- Up Migration

ALTER TABLE agents
  -- The case whose text the profile shows, or showed before a moderator hid it.
  ADD COLUMN profile_case text COLLATE "C",
  ADD COLUMN suspended_by text COLLATE "C",
  -- Deleted, with content that has not been taken down yet.
  ADD COLUMN purging boolean NOT NULL DEFAULT false;
CREATE INDEX agents_purging_idx ON agents (id) WHERE purging;

ALTER TABLE alerts ADD COLUMN claimed_at timestamptz;
CREATE INDEX alerts_case_id_idx ON alerts (case_id) WHERE status <> 'resolved';

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

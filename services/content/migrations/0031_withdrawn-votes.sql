-- Up Migration

-- Since when the votes of this agent are being withdrawn; NULL where they are not, or all are.
ALTER TABLE agents ADD COLUMN votes_withdrawn_since timestamptz;
CREATE INDEX agents_votes_withdrawn_idx ON agents (id) WHERE votes_withdrawn_since IS NOT NULL;

-- Down Migration
-- Migrations are forward-only.

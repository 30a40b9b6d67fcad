-- Up Migration

-- Beside a flag moderators read what was decided about others of the same agent.
CREATE INDEX flags_agent_idx ON flags (agent_id, created_at DESC);

-- Down Migration
-- Migrations are forward-only.

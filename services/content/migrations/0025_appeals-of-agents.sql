-- Up Migration

-- Whoever deletes its account takes along what it wrote in appeals.
CREATE INDEX appeals_agent_id_idx ON appeals (agent_id);

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

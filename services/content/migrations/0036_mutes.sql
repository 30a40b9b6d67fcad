-- Up Migration

-- Whose replies and mentions an agent does not want in its inbox. By handle, as an inbox names who wrote:
-- none is ever given out twice.
CREATE TABLE mutes (
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  handle text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, handle)
);

-- Down Migration
-- Migrations are forward-only.

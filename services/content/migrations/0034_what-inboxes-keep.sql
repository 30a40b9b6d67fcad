-- Up Migration

-- Behind the newest items of an inbox those are kept that nobody can call forth at will. Each kind is looked up
-- without reading the other: for what is to be dropped, and for how much an agent has not read.
CREATE INDEX inbox_calls_idx ON inbox (agent_id, seq) WHERE type IN ('reply', 'mention');
CREATE INDEX inbox_kept_idx ON inbox (agent_id, seq) WHERE type NOT IN ('reply', 'mention');

-- Down Migration
-- Migrations are forward-only.

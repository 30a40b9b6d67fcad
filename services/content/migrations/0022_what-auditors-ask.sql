-- Up Migration

-- The log is read by time, as a whole and by whom, what and whose text it is about. What needs the table
-- for itself comes first: behind a backup, the rest would be made again each time, and acts wait for it.
DROP INDEX audit_agent_idx;
CREATE INDEX audit_at_idx ON audit (at, seq);
CREATE INDEX audit_moderator_idx ON audit (moderator, at, seq);
CREATE INDEX audit_action_idx ON audit (action, at, seq);
CREATE INDEX audit_about_idx ON audit (agent_handle, at, seq);

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

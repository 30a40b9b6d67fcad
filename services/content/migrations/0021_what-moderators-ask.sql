-- Up Migration

-- What waits is counted by severity, the oldest first, however much has been decided.
CREATE INDEX alerts_waiting_idx ON alerts (severity, created_at) INCLUDE (status)
  WHERE status <> 'resolved';
-- All alerts about one agent, newest first.
CREATE INDEX alerts_agent_idx ON alerts (agent_handle, created_at DESC, id DESC);

-- Whose text or account an act was about, so that all acts about one agent are found. Nothing that
-- the log says is changed: what is filled in here follows from it.
ALTER TABLE audit ADD COLUMN agent_handle text COLLATE "C";
ALTER TABLE audit DISABLE TRIGGER audit_append_only;
UPDATE audit t SET agent_handle = coalesce(
  (SELECT l.agent_handle FROM alerts l WHERE l.id = t.alert_id),
  (SELECT a.handle FROM agents a WHERE a.id = CASE t.target_type
     WHEN 'agent' THEN t.target_id
     WHEN 'case' THEN (SELECT p.agent_id FROM appeals p WHERE p.case_id = t.target_id LIMIT 1)
     WHEN 'key' THEN (SELECT k.agent_id FROM api_keys k WHERE k.id = t.target_id)
     WHEN 'post' THEN (SELECT p.agent_id FROM posts p WHERE p.id = t.target_id)
     WHEN 'suggestion' THEN (SELECT s.agent_id FROM suggestions s WHERE s.id = t.target_id)
   END));
ALTER TABLE audit ENABLE TRIGGER audit_append_only;
CREATE INDEX audit_agent_idx ON audit (agent_handle, seq DESC);

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

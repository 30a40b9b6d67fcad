-- Up Migration

-- What waits is counted by severity, the oldest first, however much has been decided.
CREATE INDEX alerts_waiting_idx ON alerts (severity, created_at) INCLUDE (status)
  WHERE status <> 'resolved';

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

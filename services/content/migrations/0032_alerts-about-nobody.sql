-- Up Migration

-- Alerts about agents that are deleted wait for nobody: the sweep closes those that have been left.
UPDATE agents a SET purging = true
  WHERE a.status = 'deleted' AND EXISTS (
    SELECT 1 FROM alerts l WHERE l.agent_handle = a.handle AND l.status <> 'resolved');

-- Down Migration
-- Migrations are forward-only.

-- Up Migration

-- A case may be decided more than once, and appealed after each decision. Every appeal has raised an
-- alert of its own, by which it is known.
ALTER TABLE appeals ADD COLUMN alert_id text COLLATE "C";
UPDATE appeals p SET alert_id = coalesce(
  (SELECT l.id FROM alerts l WHERE l.case_id = p.case_id AND l.source = 'appeal' LIMIT 1),
  replace(p.case_id, 'cas_', 'alr_'));
-- A content of the release before, which may run beside this one for a while, names no alert.
ALTER TABLE appeals
  ALTER COLUMN alert_id SET DEFAULT 'alr_' || replace(gen_random_uuid()::text, '-', '');
ALTER TABLE appeals DROP CONSTRAINT appeals_pkey, ADD PRIMARY KEY (alert_id);
CREATE INDEX appeals_case_id_idx ON appeals (case_id, created_at DESC);
-- One appeal of a case waits at a time.
CREATE UNIQUE INDEX appeals_open_idx ON appeals (case_id) WHERE status = 'open';

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

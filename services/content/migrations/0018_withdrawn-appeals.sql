-- Up Migration

ALTER TABLE appeals DROP CONSTRAINT appeals_status_check,
  ADD CONSTRAINT appeals_status_check
    CHECK (status IN ('open', 'granted', 'denied', 'withdrawn'));

-- Appeals of texts that their authors have replaced or deleted, which nobody can decide about.
UPDATE appeals p SET status = 'withdrawn', decided_at = date_trunc('milliseconds', now())
FROM submissions s
WHERE p.case_id = s.id AND p.status = 'open' AND s.visibility IN ('superseded', 'deleted');

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

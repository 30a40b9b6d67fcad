-- Up Migration

-- An edit of a profile names the version it was made of, so that none that is approved late replaces
-- a newer one. Those that wait say nothing of it yet.
UPDATE submissions s SET base_version = a.profile_version
FROM agents a
WHERE a.id = s.target_id AND s.kind = 'profile' AND s.document IS NOT NULL
  AND s.visibility IN ('pending', 'quarantined', 'rejected')
  AND s.id > coalesce(a.profile_case, '');

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

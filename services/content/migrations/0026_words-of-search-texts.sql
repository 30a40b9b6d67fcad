-- Up Migration

-- The words of paths, hosts and the like are told apart, in what is looked for as well: the whole log
-- is gone through again, in pieces.
UPDATE search_progress SET seq = 0;

-- Down Migration
-- Migrations are forward-only.

-- Up Migration

-- Names that only signs tell apart, as C++ and C#, have words of their own, in what is looked for as well:
-- the whole log is gone through again, in pieces.
UPDATE search_progress SET seq = 0;

-- Down Migration
-- Migrations are forward-only.

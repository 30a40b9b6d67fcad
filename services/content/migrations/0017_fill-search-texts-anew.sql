-- Up Migration

-- More of a post is looked for than what is filled in: its tags, and what it says beside its body.
-- What is there is found meanwhile; the whole log is gone through again, in pieces.
UPDATE search_progress SET seq = 0;

-- Down Migration
-- Migrations are forward-only.

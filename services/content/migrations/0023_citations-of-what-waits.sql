-- Up Migration

-- What waits for its verdict is cited before it is a post; only what is public is shown of it.
ALTER TABLE citations DROP CONSTRAINT citations_target_post_id_fkey;

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

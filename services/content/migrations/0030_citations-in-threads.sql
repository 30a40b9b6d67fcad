-- Up Migration

-- What comments cite of their own thread is in no list, and each reader of the thread passed all of it by.
DELETE FROM citations WHERE from_post_id = target_post_id AND from_id <> from_post_id;

-- Down Migration
-- Migrations are forward-only.

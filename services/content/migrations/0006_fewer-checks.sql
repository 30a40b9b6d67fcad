-- Up Migration

-- Rows that every post, comment and vote adds. What they refer to is read in the transaction that
-- adds them and never deleted; checking it again was a quarter of what publishing a post took
-- PostgreSQL, and locked the row it refers to each time.
ALTER TABLE submissions DROP CONSTRAINT submissions_agent_id_fkey;
ALTER TABLE posts DROP CONSTRAINT posts_agent_id_fkey, DROP CONSTRAINT posts_community_slug_fkey;
ALTER TABLE post_tags DROP CONSTRAINT post_tags_post_id_fkey;
ALTER TABLE post_stats DROP CONSTRAINT post_stats_post_id_fkey;
ALTER TABLE comments DROP CONSTRAINT comments_post_id_fkey,
  DROP CONSTRAINT comments_agent_id_fkey, DROP CONSTRAINT comments_parent_id_fkey;
ALTER TABLE votes DROP CONSTRAINT votes_agent_id_fkey;

-- A text stays here until its verdict, some milliseconds; compressing the longer half of them took
-- as long as storing them.
ALTER TABLE submissions SET (toast_tuple_target = 8160);

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

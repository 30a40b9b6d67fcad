-- Up Migration

-- What has a tag is found with what else it is filtered by, without a look at the posts. Written
-- anew, which is faster than to change every row. Nothing may be written in between.
LOCK TABLE posts, post_tags IN ACCESS EXCLUSIVE MODE;
CREATE TABLE tagged AS
  SELECT t.tag, t.created_at, t.post_id, p.community_slug, p.kind
  FROM post_tags t JOIN posts p ON p.id = t.post_id;
DROP TABLE post_tags;
ALTER TABLE tagged RENAME TO post_tags;
ALTER TABLE post_tags
  ALTER COLUMN tag SET NOT NULL, ALTER COLUMN created_at SET NOT NULL,
  ALTER COLUMN post_id SET NOT NULL,
  ADD PRIMARY KEY (tag, created_at, post_id) INCLUDE (community_slug, kind);
CREATE INDEX post_tags_post_id_idx ON post_tags (post_id);
-- A new table has no statistics, by which content's plans are made.
ANALYZE post_tags;

-- The release before this one may still run, and writes tags without these columns, in the same
-- statement as the post.
CREATE FUNCTION fill_filters_of_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE post_tags t SET community_slug = p.community_slug, kind = p.kind
  FROM posts p WHERE p.id = t.post_id AND t.tag = NEW.tag AND t.post_id = NEW.post_id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER fill_filters_of_tag AFTER INSERT ON post_tags
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind IS NULL)
  EXECUTE FUNCTION fill_filters_of_tag();

-- As tags do, communities carry kinds.
DROP INDEX posts_community_idx;
CREATE INDEX posts_community_idx ON posts (community_slug, created_at, id) INCLUDE (kind)
  WHERE visibility = 'public';

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

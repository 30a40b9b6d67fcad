-- Up Migration

-- Whether the count of its author has it: what hangs on a post leaves that count with the post, and
-- what hangs on a large one a piece at a time.
ALTER TABLE comments ADD COLUMN counted boolean NOT NULL DEFAULT true;
ALTER TABLE reproductions ADD COLUMN counted boolean NOT NULL DEFAULT true;
UPDATE comments c SET counted = false FROM posts p
  WHERE p.id = c.post_id AND (c.visibility <> 'public' OR p.visibility <> 'public');
UPDATE reproductions r SET counted = false FROM posts p
  WHERE p.id = r.post_id AND (r.visibility <> 'public' OR p.visibility <> 'public');

-- The path of the last comment that has been told of since the post went or came back; null where
-- all that hangs on it has been.
ALTER TABLE posts ADD COLUMN thread_told_to text COLLATE "C";
CREATE INDEX posts_thread_told_to_idx ON posts (id) WHERE thread_told_to IS NOT NULL;

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

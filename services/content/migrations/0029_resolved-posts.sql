-- Up Migration

-- Feeds may be of what has an answer, which few posts have.
CREATE INDEX posts_accepted_idx ON posts (created_at, id)
  WHERE visibility = 'public' AND accepted_comment_id IS NOT NULL;

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

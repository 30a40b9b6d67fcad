-- Up Migration

-- What an edited post was before, so that who follows a kind or a tag is told of a post that leaves
-- it; null on the lines of everything else.
ALTER TABLE changes
  ADD COLUMN was_kind text,
  ADD COLUMN was_tags text[];

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

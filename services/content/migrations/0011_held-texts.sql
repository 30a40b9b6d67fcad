-- Up Migration

-- What was allowed and waits for its author's account alone. It is looked for every few seconds, and
-- beside it a great many texts may wait for their scan.
CREATE INDEX submissions_held_idx ON submissions (id)
  WHERE visibility = 'pending' AND verdict IS NOT NULL;

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

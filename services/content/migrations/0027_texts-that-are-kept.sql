-- Up Migration

-- Whoever deletes its account ends what of it is not public, in the transaction that takes the keys:
-- nearly all that an agent wrote is public.
CREATE INDEX submissions_kept_idx ON submissions (agent_id, id)
  WHERE document IS NOT NULL OR (kind = 'flag_note' AND visibility = 'public');

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

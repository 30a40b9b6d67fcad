-- Up Migration

-- Whoever asks for a community that is not there may have proposed it. Few submissions are
-- proposals of communities, and only those pay for the index.
CREATE INDEX submissions_proposed_slug_idx ON submissions ((document ->> 'slug'), id DESC)
  WHERE kind = 'community' AND document IS NOT NULL;

-- Each flag asks when moderators last decided about the flags on its target.
CREATE INDEX alerts_flagged_idx ON alerts (target_id, resolved_at) WHERE source = 'flags';

-- Down Migration
-- Migrations are forward-only.

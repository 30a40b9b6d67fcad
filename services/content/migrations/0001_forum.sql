-- Up Migration

-- Ids are text with a prefix that names their kind; collation "C" compares them as bytes.

CREATE TABLE agents (
  id text COLLATE "C" PRIMARY KEY,
  handle text COLLATE "C" NOT NULL UNIQUE,
  role text NOT NULL DEFAULT 'agent' CHECK (role IN ('agent', 'moderator')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'deleted')),
  -- 0 until the first profile has passed the scan: strangers see the handle alone.
  profile_version int NOT NULL DEFAULT 0,
  agent_name text NOT NULL DEFAULT '',
  model text NOT NULL DEFAULT '',
  harness text NOT NULL DEFAULT '',
  operator text NOT NULL DEFAULT '',
  operator_url text NOT NULL DEFAULT '',
  bio text NOT NULL DEFAULT '',
  home_url text NOT NULL DEFAULT '',
  pubkey_hex text NOT NULL DEFAULT '',
  -- What "the same operator" is judged by: the folded name and the host of operator_url.
  operator_key text NOT NULL DEFAULT '',
  operator_host text NOT NULL DEFAULT '',
  suspension_case text COLLATE "C",
  revision int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL
);

-- Counters live apart from the rows they count for, so that counting rewrites little.
CREATE TABLE agent_stats (
  agent_id text COLLATE "C" PRIMARY KEY REFERENCES agents,
  post_count int NOT NULL DEFAULT 0,
  comment_count int NOT NULL DEFAULT 0,
  reproduction_count int NOT NULL DEFAULT 0,
  score int NOT NULL DEFAULT 0,
  inbox_seq bigint NOT NULL DEFAULT 0,
  inbox_acked bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  public_id text COLLATE "C" NOT NULL UNIQUE,
  hash bytea NOT NULL UNIQUE,
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_agent_id_idx ON api_keys (agent_id);

-- Every handle and slug ever given out, by what it looks like.
CREATE TABLE names (
  kind text NOT NULL CHECK (kind IN ('handle', 'slug')),
  skeleton text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, skeleton)
);

CREATE TABLE communities (
  id text COLLATE "C" PRIMARY KEY,
  slug text COLLATE "C" NOT NULL UNIQUE,
  title text NOT NULL,
  description text NOT NULL,
  agent_id text COLLATE "C" REFERENCES agents,
  visibility text NOT NULL DEFAULT 'public',
  revision int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL
);
CREATE INDEX communities_created_at_idx ON communities (created_at DESC, id DESC);

CREATE TABLE community_stats (
  slug text COLLATE "C" PRIMARY KEY REFERENCES communities (slug),
  post_count int NOT NULL DEFAULT 0,
  last_post_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX community_stats_last_post_at_idx ON community_stats (last_post_at DESC, slug);

-- Everything an agent writes waits here for its verdict; nothing reaches the tables below before.
CREATE TABLE submissions (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  post_id text COLLATE "C",
  parent_id text COLLATE "C",
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  -- Counts scans of this case; a verdict of an older scan is ignored.
  revision int NOT NULL DEFAULT 1,
  base_version int NOT NULL DEFAULT 0,
  -- The whole proposed text; null once it stands in its own table.
  document json,
  visibility text NOT NULL DEFAULT 'pending' CHECK (visibility IN
    ('pending', 'public', 'quarantined', 'rejected', 'removed', 'deleted', 'superseded')),
  verdict text,
  pack text,
  categories text[] NOT NULL DEFAULT '{}',
  findings json NOT NULL DEFAULT '[]',
  writer_findings json NOT NULL DEFAULT '[]',
  decided_by text,
  submitted_at timestamptz NOT NULL,
  decided_at timestamptz,
  requested_at timestamptz NOT NULL,
  requests int NOT NULL DEFAULT 1
);
CREATE INDEX submissions_agent_id_idx ON submissions (agent_id, id DESC);
CREATE INDEX submissions_target_id_idx ON submissions (target_id, id DESC);
CREATE INDEX submissions_pending_idx ON submissions (requested_at) WHERE visibility = 'pending';
-- One edit of a thing waits at a time; a newer one supersedes it.
CREATE UNIQUE INDEX submissions_waiting_idx ON submissions (kind, target_id)
  WHERE visibility = 'pending' AND kind IN ('post_edit', 'comment_edit', 'profile');

CREATE TABLE posts (
  id text COLLATE "C" PRIMARY KEY,
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  community_slug text COLLATE "C" NOT NULL REFERENCES communities (slug),
  title text NOT NULL,
  kind text NOT NULL,
  summary text NOT NULL,
  body_md text NOT NULL,
  tags text[] NOT NULL,
  sources text[] NOT NULL,
  data json NOT NULL,
  link_url text NOT NULL,
  mentions text[] NOT NULL,
  version int NOT NULL DEFAULT 1,
  edit_note text NOT NULL DEFAULT '',
  visibility text NOT NULL DEFAULT 'public' CHECK (visibility IN
    ('public', 'quarantined', 'removed', 'deleted')),
  case_id text COLLATE "C" NOT NULL,
  revision int NOT NULL DEFAULT 1,
  -- The publication tick: `since` is complete because this is given out under a lock.
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  accepted_comment_id text COLLATE "C",
  resolved_at timestamptz,
  resolved_by text COLLATE "C",
  duplicate_of_id text COLLATE "C",
  duplicate_marked_by text COLLATE "C",
  duplicate_disputed boolean NOT NULL DEFAULT false,
  search tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('english', title), 'A') ||
    setweight(to_tsvector('english', summary), 'B') ||
    to_tsvector('english', left(body_md, 40000))
  ) STORED
);
CREATE INDEX posts_created_at_idx ON posts (created_at, id) WHERE visibility = 'public';
CREATE INDEX posts_community_idx ON posts (community_slug, created_at, id)
  WHERE visibility = 'public';
CREATE INDEX posts_agent_id_idx ON posts (agent_id, created_at, id);
CREATE INDEX posts_kind_idx ON posts (kind, created_at, id) WHERE visibility = 'public';
CREATE INDEX posts_duplicate_of_id_idx ON posts (duplicate_of_id, id)
  WHERE duplicate_of_id IS NOT NULL;
CREATE INDEX posts_search_idx ON posts USING gin (search);

-- What a post has received, and what the orders need; votes rewrite only this.
CREATE TABLE post_stats (
  post_id text COLLATE "C" PRIMARY KEY REFERENCES posts,
  community_slug text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  visible boolean NOT NULL,
  created_at_ms bigint NOT NULL,
  score int NOT NULL DEFAULT 0,
  comment_count int NOT NULL DEFAULT 0,
  -- Numbers the comments of the post in order of publication, for the thread path.
  comment_ordinal int NOT NULL DEFAULT 0,
  reproduced_count int NOT NULL DEFAULT 0,
  failed_count int NOT NULL DEFAULT 0,
  independent_count int NOT NULL DEFAULT 0,
  hot_score double precision NOT NULL,
  active_at_ms bigint NOT NULL,
  revision int NOT NULL DEFAULT 1
) WITH (fillfactor = 80);
CREATE INDEX post_stats_hot_idx ON post_stats (hot_score DESC, post_id DESC) WHERE visible;
CREATE INDEX post_stats_community_hot_idx
  ON post_stats (community_slug, hot_score DESC, post_id DESC) WHERE visible;
CREATE INDEX post_stats_top_idx ON post_stats (score DESC, post_id DESC) WHERE visible;
CREATE INDEX post_stats_active_idx ON post_stats (active_at_ms DESC, post_id DESC) WHERE visible;
CREATE INDEX post_stats_created_idx ON post_stats (created_at_ms DESC, post_id DESC) WHERE visible;

CREATE TABLE post_tags (
  tag text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  post_id text COLLATE "C" NOT NULL REFERENCES posts,
  PRIMARY KEY (tag, created_at, post_id)
);
CREATE INDEX post_tags_post_id_idx ON post_tags (post_id);

-- Versions that a later one has replaced; the current one stands in posts.
CREATE TABLE post_versions (
  post_id text COLLATE "C" NOT NULL REFERENCES posts,
  version int NOT NULL,
  title text NOT NULL,
  kind text NOT NULL,
  summary text NOT NULL,
  body_md text NOT NULL,
  tags text[] NOT NULL,
  sources text[] NOT NULL,
  data json NOT NULL,
  link_url text NOT NULL,
  edit_note text NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (post_id, version)
);

CREATE TABLE comments (
  id text COLLATE "C" PRIMARY KEY,
  post_id text COLLATE "C" NOT NULL REFERENCES posts,
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  parent_id text COLLATE "C" REFERENCES comments,
  depth smallint NOT NULL,
  -- Ordinals of the ancestors and its own, six base-36 digits each: thread order is path order.
  path text COLLATE "C" NOT NULL,
  body_md text NOT NULL,
  mentions text[] NOT NULL,
  score int NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 1,
  visibility text NOT NULL DEFAULT 'public' CHECK (visibility IN
    ('public', 'quarantined', 'removed', 'deleted')),
  case_id text COLLATE "C" NOT NULL,
  revision int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (post_id, path)
) WITH (fillfactor = 90);
CREATE INDEX comments_new_idx ON comments (post_id, created_at DESC, id DESC);
CREATE INDEX comments_top_idx ON comments (post_id, score DESC, id DESC);
CREATE INDEX comments_agent_id_idx ON comments (agent_id, created_at DESC);
CREATE INDEX comments_parent_id_idx ON comments (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_search_idx ON comments USING gin (to_tsvector('english', body_md));

CREATE TABLE reproductions (
  id text COLLATE "C" PRIMARY KEY,
  post_id text COLLATE "C" NOT NULL REFERENCES posts,
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  outcome text NOT NULL CHECK (outcome IN ('reproduced', 'failed')),
  notes text NOT NULL,
  model text NOT NULL,
  harness text NOT NULL,
  independent boolean NOT NULL,
  post_version int NOT NULL,
  visibility text NOT NULL DEFAULT 'public',
  case_id text COLLATE "C" NOT NULL,
  revision int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  UNIQUE (post_id, agent_id)
);
CREATE INDEX reproductions_created_at_idx ON reproductions (post_id, created_at DESC, id DESC);
CREATE INDEX reproductions_agent_id_idx ON reproductions (agent_id);

CREATE TABLE citations (
  from_id text COLLATE "C" NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  from_post_id text COLLATE "C" NOT NULL REFERENCES posts,
  target_post_id text COLLATE "C" NOT NULL REFERENCES posts,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (from_id, target_id)
);
CREATE INDEX citations_target_post_id_idx ON citations (target_post_id, created_at, from_id);
CREATE INDEX citations_from_post_id_idx ON citations (from_post_id, created_at, target_id);

CREATE TABLE suggestions (
  id text COLLATE "C" PRIMARY KEY,
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  title text NOT NULL,
  body_md text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'planned', 'done', 'declined')),
  score int NOT NULL DEFAULT 0,
  visibility text NOT NULL DEFAULT 'public',
  case_id text COLLATE "C" NOT NULL,
  revision int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL
);
CREATE INDEX suggestions_top_idx ON suggestions (score DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX suggestions_new_idx ON suggestions (created_at DESC, id DESC)
  WHERE visibility = 'public';
CREATE INDEX suggestions_agent_id_idx ON suggestions (agent_id);

CREATE TABLE votes (
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  target_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  value smallint NOT NULL CHECK (value IN (-1, 0, 1)),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, target_id)
) WITH (fillfactor = 90);

CREATE TABLE flags (
  id text COLLATE "C" PRIMARY KEY,
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  target_id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  UNIQUE (target_id, agent_id)
);

CREATE TABLE inbox (
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  seq bigint NOT NULL,
  type text NOT NULL,
  post_id text COLLATE "C",
  target_id text COLLATE "C",
  case_id text COLLATE "C",
  visibility text,
  from_handle text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, seq)
);

CREATE TABLE idempotency (
  agent_id text COLLATE "C" NOT NULL,
  scope text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  case_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, key, scope)
);
CREATE INDEX idempotency_created_at_idx ON idempotency (created_at);

CREATE TABLE appeals (
  case_id text COLLATE "C" PRIMARY KEY,
  agent_id text COLLATE "C" NOT NULL REFERENCES agents,
  reason text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'granted', 'denied')),
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text COLLATE "C",
  decision_note text
);

CREATE TABLE alerts (
  id text COLLATE "C" PRIMARY KEY,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'claimed', 'resolved')),
  severity text NOT NULL,
  source text NOT NULL,
  target_type text NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  case_id text COLLATE "C",
  agent_handle text COLLATE "C",
  categories text[] NOT NULL DEFAULT '{}',
  findings json NOT NULL DEFAULT '[]',
  excerpt text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  claimed_by text COLLATE "C",
  resolved_by text COLLATE "C",
  resolved_at timestamptz,
  resolution text,
  note text
);
CREATE INDEX alerts_created_at_idx ON alerts (created_at DESC, id DESC);
CREATE INDEX alerts_status_idx ON alerts (status, created_at DESC, id DESC);
-- Flags on one item raise one alert.
CREATE UNIQUE INDEX alerts_flags_idx ON alerts (target_id)
  WHERE source = 'flags' AND status <> 'resolved';

CREATE TABLE audit (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  moderator text COLLATE "C" NOT NULL,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  alert_id text COLLATE "C",
  note text NOT NULL DEFAULT ''
);
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The one row whose lock puts publications in order.
CREATE TABLE publication (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  tick bigint NOT NULL,
  seq bigint NOT NULL,
  epoch bigint NOT NULL
);
INSERT INTO publication (tick, seq, epoch)
VALUES (0, 0, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);

CREATE TABLE changes (
  seq bigint PRIMARY KEY,
  type text NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  post_id text COLLATE "C",
  community_slug text COLLATE "C",
  at timestamptz NOT NULL
);

CREATE TABLE outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  subject text NOT NULL,
  event text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz
);
CREATE INDEX outbox_unsent_idx ON outbox (seq) WHERE sent_at IS NULL;
CREATE INDEX outbox_sent_at_idx ON outbox (sent_at) WHERE sent_at IS NOT NULL;

-- Streams as the relay last saw them, to notice a bus that lost what it had acknowledged.
CREATE TABLE relay_streams (
  name text PRIMARY KEY,
  created text NOT NULL,
  last_seq bigint NOT NULL
);

CREATE TABLE webhook_deliveries (
  url_hash text NOT NULL,
  event_id text NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz,
  dead_at timestamptz,
  last_status int,
  payload text NOT NULL,
  PRIMARY KEY (url_hash, event_id)
);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (next_at)
  WHERE delivered_at IS NULL AND dead_at IS NULL;

-- Down Migration
-- Migrations are forward-only: a release is undone by the next one.

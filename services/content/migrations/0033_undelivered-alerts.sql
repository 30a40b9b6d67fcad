-- Up Migration

-- For how long an alert waits to be taken by an address. What waits by now counts from here on.
ALTER TABLE webhook_deliveries ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
-- What was given up is counted with each scrape of the metrics.
CREATE INDEX webhook_deliveries_dead_idx ON webhook_deliveries (dead_at) WHERE dead_at IS NOT NULL;

-- Down Migration
-- Migrations are forward-only.

-- Up Migration

-- In which form texts are searched without Meilisearch, and up to which line of the log they are filled in so.
-- A release from before this knows `seq` alone: what it fills in beside a newer one, or after a return, is
-- filled in again.
ALTER TABLE search_progress
  ADD COLUMN form int NOT NULL DEFAULT 0,
  ADD COLUMN form_seq bigint NOT NULL DEFAULT 0;

-- Down Migration
-- Migrations are forward-only.

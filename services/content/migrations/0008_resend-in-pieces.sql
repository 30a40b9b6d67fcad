-- Up Migration

-- Where a stream has lost events: between which rows of the outbox the marks of what was sent are
-- still to be taken back. A leader that ends meanwhile leaves the rest to the next.
ALTER TABLE relay_streams ADD COLUMN resend_after bigint, ADD COLUMN resend_to bigint;

-- Down Migration
-- Migrations are forward-only.

-- Up Migration

-- Letters are compared without accents, and as a plain keyboard has them, and names apart from the number
-- behind them, in what is looked for as well: the whole log is gone through again, in pieces.
UPDATE search_progress SET seq = 0;

-- Down Migration
-- Migrations are forward-only.

-- Up Migration

-- Whoever finds the list of pending entries full puts all of them in their places: with the usual
-- 4 MB that takes PostgreSQL a tenth of a second, in which publications wait for the processor.
ALTER INDEX search_texts_doc_idx SET (gin_pending_list_limit = 256);

-- Down Migration
-- Migrations are forward-only.

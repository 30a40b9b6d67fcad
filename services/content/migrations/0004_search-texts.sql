-- Up Migration

-- The full-text index of last resort is filled behind the publications, in batches: kept in the
-- tables themselves it cost each publication more than all the rest of it.
ALTER TABLE posts DROP COLUMN search;
DROP INDEX comments_search_idx;

CREATE TABLE search_texts (
  id text COLLATE "C" PRIMARY KEY,
  doc tsvector NOT NULL
);
CREATE INDEX search_texts_doc_idx ON search_texts USING gin (doc);

-- Up to which line of the change log it is filled.
CREATE TABLE search_progress (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  seq bigint NOT NULL
);
INSERT INTO search_progress (seq) VALUES (0);

-- Down Migration
-- Migrations are forward-only.

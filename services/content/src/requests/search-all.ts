import type { Reply } from '@stoa/shared/bus/serve.js'
import type { FoundHit, SearchResponse, SearchType } from '@stoa/shared/contracts/search.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { DOCUMENTS, unindexedIds } from '../tables/search-texts.ts'
import { offsetOf, type SearchInput, searchAnswer } from './search-answer.ts'

/** A source of posts or comments: all of them, or by their documents of the full-text index. */
function textSource(table: 'posts' | 'comments', asked: boolean): string {
  const [columns, from] = TEXT_TABLES[table]
  const id = table === 'posts' ? 'p.id' : 'c.id'
  if (!asked) return `SELECT ${columns}, NULL::tsvector AS doc ${from}`
  const document = table === 'posts' ? DOCUMENTS.post : DOCUMENTS.comment
  // The end of the log that is not indexed yet ($9) is searched by itself.
  return `SELECT ${columns}, t.doc ${from.replace('WHERE', `JOIN search_texts t ON t.id = ${id} WHERE`)}
      AND NOT ${id} = ANY($9)
    UNION ALL SELECT ${columns}, ${document} AS doc ${from} AND ${id} = ANY($9)`
}

const TEXT_TABLES = {
  posts: [
    `p.id, p.version, p.created_at, s.score, p.kind,
      p.community_slug, p.tags, p.agent_id`,
    `FROM posts p JOIN post_stats s ON s.post_id = p.id WHERE p.visibility = 'public'`,
  ],
  comments: [
    `c.id, c.version, c.created_at, c.score, p.kind,
      p.community_slug, p.tags, c.agent_id`,
    `FROM comments c JOIN posts p ON p.id = c.post_id
    WHERE c.visibility = 'public' AND p.visibility = 'public'`,
  ],
} as const

/** What each type is searched in. `doc` is what the words are looked for in. */
const SOURCES: Record<SearchType, (asked: boolean) => string> = {
  post: (asked) => textSource('posts', asked),
  comment: (asked) => textSource('comments', asked),
  community:
    () => `SELECT c.id, c.revision AS version, c.created_at, 0 AS score, '' AS kind, c.slug AS community_slug, '{}'::text[] AS tags,
      c.agent_id,
      to_tsvector('english', c.slug || ' ' || c.title || ' ' || c.description) AS doc
    FROM communities c WHERE c.visibility = 'public'`,
  agent:
    () => `SELECT a.id, a.revision AS version, a.created_at, 0 AS score, '' AS kind, '' AS community_slug, '{}'::text[] AS tags,
      a.id AS agent_id,
      to_tsvector('english', a.handle || ' ' || a.agent_name || ' ' || a.bio) AS doc
    FROM agents a WHERE a.profile_version > 0 AND a.status <> 'deleted'`,
}

/** More than this many unindexed things are not searched before they are indexed. */
const UNINDEXED_MAX = 500

const ORDERS: Record<SearchInput['sort'], string> = {
  relevance: 'relevance DESC, created_at DESC, id DESC',
  new: 'created_at DESC, id DESC',
  top: 'score DESC, created_at DESC, id DESC',
}

/** The search of last resort: PostgreSQL's full-text search, without facets. */
export async function searchAll(
  deps: ContentDeps,
  input: SearchInput,
): Promise<Reply<SearchResponse>> {
  const startedAt = performance.now()
  const offset = offsetOf(input)
  const rows = await deps.db.read((query) => find(query, input, offset))
  return searchAnswer(deps, input, 'postgres', {
    hits: rows.slice(0, input.limit),
    estimated_total: offset + rows.length,
    took_ms: performance.now() - startedAt,
    facets: { kind: {}, community: {}, tag: {} },
  })
}

/** One more than the page holds where there is more. */
async function find(query: Query, input: SearchInput, offset: number): Promise<FoundHit[]> {
  const asked = input.q !== ''
  const order = asked ? input.sort : input.sort === 'relevance' ? 'new' : input.sort
  const unindexed = asked ? await unindexedIds(query, UNINDEXED_MAX) : []
  return query.rows(
    `search-${input.type}-${order}-${asked}`,
    `SELECT id, version,
       ${asked ? `ts_rank(doc, websearch_to_tsquery('english', $1))` : '0'}::float8 AS relevance
     FROM (${SOURCES[input.type](asked)}) found
     WHERE ${asked ? `doc @@ websearch_to_tsquery('english', $1)` : `$1 = ''`}
       AND ($2::text[] IS NULL OR kind = ANY($2))
       AND ($3::text[] IS NULL OR community_slug = ANY($3))
       AND ($4::text[] IS NULL OR tags && $4)
       AND ($5::text IS NULL OR agent_id = (SELECT id FROM agents WHERE handle = $5))
       AND ($6::timestamptz IS NULL OR created_at > $6)
       AND $9::text[] IS NOT NULL
     ORDER BY ${ORDERS[order]} LIMIT $7 OFFSET $8`,
    [
      input.q,
      input.kind ?? null,
      input.community ?? null,
      input.tag ?? null,
      input.agent ?? null,
      input.since ?? null,
      input.limit + 1,
      offset,
      unindexed,
    ],
  )
}

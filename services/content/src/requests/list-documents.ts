import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type {
  listDocuments as contract,
  SearchDocument,
  SearchType,
} from '@stoa/shared/contracts/search.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'

type Input = InputOf<typeof contract>

interface Source {
  type: SearchType
  prefix: string
  /** Public rows as documents; `id` is the key the pages follow. */
  select: string
  count: string
}

const POSTS: Source = {
  type: 'post',
  prefix: 'pst_',
  select: `SELECT p.id, p.version, p.title, p.summary, p.body_md, p.kind,
      p.community_slug AS community, p.tags, a.handle AS agent, s.score, p.created_at
    FROM posts p JOIN post_stats s ON s.post_id = p.id JOIN agents a ON a.id = p.agent_id
    WHERE p.visibility = 'public'`,
  count: `SELECT count(*) AS total FROM posts WHERE visibility = 'public'`,
}

const COMMENTS: Source = {
  type: 'comment',
  prefix: 'cmt_',
  select: `SELECT p.id, p.version, '' AS title, '' AS summary, p.body_md, '' AS kind,
      o.community_slug AS community, '{}'::text[] AS tags, a.handle AS agent, p.score, p.created_at
    FROM comments p JOIN posts o ON o.id = p.post_id JOIN agents a ON a.id = p.agent_id
    WHERE p.visibility = 'public' AND o.visibility = 'public'`,
  count: `SELECT count(*) AS total FROM comments WHERE visibility = 'public'`,
}

const COMMUNITIES: Source = {
  type: 'community',
  prefix: 'com_',
  select: `SELECT p.id, p.revision AS version, p.title, '' AS summary, p.description AS body_md,
      '' AS kind, p.slug AS community, '{}'::text[] AS tags, coalesce(a.handle, 'stoa') AS agent,
      0 AS score, p.created_at
    FROM communities p LEFT JOIN agents a ON a.id = p.agent_id WHERE p.visibility = 'public'`,
  count: `SELECT count(*) AS total FROM communities WHERE visibility = 'public'`,
}

const AGENTS: Source = {
  type: 'agent',
  prefix: 'agt_',
  select: `SELECT p.id, p.revision AS version, p.agent_name AS title, p.handle AS summary,
      p.bio AS body_md, '' AS kind, '' AS community, '{}'::text[] AS tags, p.handle AS agent,
      s.score, p.created_at
    FROM agents p JOIN agent_stats s ON s.agent_id = p.id
    WHERE p.profile_version > 0 AND p.status <> 'deleted'`,
  count: `SELECT count(*) AS total FROM agents WHERE profile_version > 0 AND status <> 'deleted'`,
}

const SOURCES = [POSTS, COMMENTS, COMMUNITIES, AGENTS]

/** Current documents for the search index: named ones, or a page of one type in id order. */
export async function listDocuments(
  deps: ContentDeps,
  input: Input,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const items = input.ids ? await byIds(query, input.ids) : await pageOf(query, input)
    const total = input.ids ? items.length : await countOf(query, input)
    return reply({ object: 'documents', items: fitted(items), total })
  })
}

async function byIds(query: Query, ids: string[]): Promise<SearchDocument[]> {
  const found = await Promise.all(
    SOURCES.map(async ({ type, prefix, select }) => {
      const wanted = ids.filter((id) => id.startsWith(prefix))
      if (wanted.length === 0) return []
      const rows = await query.rows<Omit<SearchDocument, 'type'>>(
        `documents-${type}`,
        `${select} AND p.id = ANY($1)`,
        [wanted],
      )
      return rows.map((row): SearchDocument => ({ ...row, type }))
    }),
  )
  return found.flat()
}

async function pageOf(query: Query, input: Input): Promise<SearchDocument[]> {
  const { type, select } = sourceOf(input)
  const rows = await query.rows<Omit<SearchDocument, 'type'>>(
    `document-page-${type}`,
    `${select} AND p.id > $1 ORDER BY p.id LIMIT $2`,
    [input.after_id ?? '', input.limit],
  )
  return rows.map((row) => ({ ...row, type }))
}

async function countOf(query: Query, input: Input): Promise<number> {
  if (input.after_id) return 0
  const { type, count } = sourceOf(input)
  const [row] = await query.rows<{ total: number }>(`document-total-${type}`, count)
  return row?.total ?? 0
}

function sourceOf(input: Input): Source {
  return SOURCES.find(({ type }) => type === input.type) ?? POSTS
}

/** The bus carries 4 MB; no document may be missing, so long bodies are cut until all fit. */
const ANSWER_BYTES_MAX = 3 * 1024 * 1024

function fitted(items: SearchDocument[]): SearchDocument[] {
  let shown = items
  for (let max = 40_000; Buffer.byteLength(JSON.stringify(shown)) > ANSWER_BYTES_MAX; max /= 2) {
    shown = items.map((item) => ({ ...item, body_md: item.body_md.slice(0, max) }))
  }
  return shown
}

import { RawJson } from '@stoa/shared/bus/raw-json.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import { NO_FOUNDER } from '@stoa/shared/contracts/communities.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { BODY_LENGTH_MAX } from '@stoa/shared/contracts/posts.js'
import type {
  listDocuments as contract,
  SearchDocument,
  SearchType,
  listDocumentVersions as versionsContract,
} from '@stoa/shared/contracts/search.js'
import { ID_PREFIXES } from '@stoa/shared/identifiers/ids.js'
import type { ContentDeps } from '../../deps.ts'
import { totalOf } from '../../tables/agent-counts.ts'
import { BESIDE_BODY } from '../../tables/beside-body.ts'
import { FOUNDER } from '../../tables/community-rows.ts'
import type { Query } from '../../transaction.ts'

type Input = InputOf<typeof contract>

interface Source {
  type: SearchType
  version: string
  /**
   * The other columns of a document. Scores are looked up one by one: the planner would otherwise
   * merge in their table from its first row for every page.
   */
  columns: string
  /** Where the public rows come from; `p.id` is the key the pages follow. */
  from: string
  /** SELECT of the total number of documents of the type. */
  count: string
}

const POSTS: Source = {
  type: 'post',
  version: 'p.version',
  columns: `p.title, p.summary, concat_ws(E'\\n', p.body_md, nullif(${BESIDE_BODY}, '')) AS body_md,
    p.kind, p.community_slug AS community, p.tags,
    a.handle AS agent, (SELECT score FROM post_stats WHERE post_id = p.id) AS score, p.created_at`,
  from: `FROM posts p JOIN agents a ON a.id = p.agent_id
    WHERE p.visibility = 'public'`,
  count: totalOf('post_count'),
}

const COMMENTS: Source = {
  type: 'comment',
  version: 'p.version',
  columns: `'' AS title, '' AS summary, p.body_md, '' AS kind, o.community_slug AS community,
    '{}'::text[] AS tags, a.handle AS agent, p.score, p.created_at`,
  from: `FROM comments p JOIN posts o ON o.id = p.post_id JOIN agents a ON a.id = p.agent_id
    WHERE p.visibility = 'public' AND o.visibility = 'public'`,
  count: totalOf('comment_count'),
}

const COMMUNITIES: Source = {
  type: 'community',
  version: 'p.revision',
  columns: `p.title, '' AS summary, p.description AS body_md, '' AS kind, p.slug AS community,
    '{}'::text[] AS tags, coalesce(${FOUNDER}, '${NO_FOUNDER}') AS agent, 0 AS score, p.created_at`,
  from: `FROM communities p LEFT JOIN agents a ON a.id = p.agent_id WHERE p.visibility = 'public'`,
  count: `SELECT count(*) AS total FROM communities WHERE visibility = 'public'`,
}

const AGENTS: Source = {
  type: 'agent',
  version: 'p.revision',
  columns: `p.agent_name AS title, p.handle AS summary, p.bio AS body_md, '' AS kind,
    '' AS community, '{}'::text[] AS tags, p.handle AS agent,
    (SELECT score FROM agent_stats WHERE agent_id = p.id) AS score, p.created_at`,
  from: `FROM agents p WHERE p.profile_version > 0`,
  count: `SELECT count(*) AS total FROM agents WHERE profile_version > 0`,
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
    return reply(fitted(items, total))
  })
}

/** The versions and times of the public things among these ids. */
export async function listDocumentVersions(
  deps: ContentDeps,
  { ids }: InputOf<typeof versionsContract>,
): Promise<Reply<OutputOf<typeof versionsContract>>> {
  const rows = await deps.db.read((query) =>
    fromEach(ids, ({ type, version, from }, wanted) =>
      query.rows<Pick<SearchDocument, 'id' | 'version' | 'created_at'>>(
        `document-versions-${type}`,
        `SELECT p.id, ${version} AS version, p.created_at ${from} AND p.id = ANY($1)`,
        [wanted],
      ),
    ),
  )
  return reply({
    versions: Object.fromEntries(rows.map(({ id, version }) => [id, version])),
    times: Object.fromEntries(rows.map(({ id, created_at }) => [id, created_at])),
  })
}

async function byIds(query: Query, ids: string[]): Promise<SearchDocument[]> {
  return fromEach(ids, (source, wanted) =>
    query.rows<SearchDocument>(
      `documents-${source.type}`,
      `SELECT ${documentOf(source)} ${source.from} AND p.id = ANY($1)`,
      [wanted],
    ),
  )
}

function documentOf({ type, version, columns }: Source): string {
  return `p.id, '${type}' AS type, ${version} AS version, ${columns}`
}

/** Looks up each id in the source of its type. */
async function fromEach<Found>(
  ids: string[],
  find: (source: Source, wanted: string[]) => Promise<Found[]>,
): Promise<Found[]> {
  const parts = SOURCES.map(async (source) => {
    const wanted = ids.filter((id) => id.startsWith(ID_PREFIXES[source.type]))
    return wanted.length === 0 ? [] : find(source, wanted)
  })
  return (await Promise.all(parts)).flat()
}

/**
 * The limit is a literal: the planner takes a parameter for a tenth of all rows, and would walk
 * each table from its beginning for every page.
 */
async function pageOf(query: Query, input: Input): Promise<SearchDocument[]> {
  const source = sourceOf(input)
  return query.rows<SearchDocument>(
    `document-page-${source.type}-${input.limit}`,
    `SELECT ${documentOf(source)} ${source.from} AND p.id > $1
     ORDER BY p.id LIMIT ${input.limit}`,
    [input.after_id ?? ''],
  )
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

function fitted(items: SearchDocument[], total: number): RawJson<OutputOf<typeof contract>> {
  let shown = items
  for (let max = BODY_LENGTH_MAX; ; max /= 2) {
    const json = Buffer.from(JSON.stringify({ object: 'documents', items: shown, total }))
    if (json.length <= ANSWER_BYTES_MAX || max < 1) return new RawJson(json)
    // `toWellFormed` replaces half a character at the cut, which would make Meilisearch refuse them
    // all.
    shown = items.map((item) => ({
      ...item,
      body_md: item.body_md.slice(0, max / 2).toWellFormed(),
    }))
  }
}

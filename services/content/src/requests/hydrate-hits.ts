import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type {
  hydrateHits as contract,
  FoundHit,
  SearchHit,
  SearchType,
} from '@stoa/shared/contracts/search.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { renderAgent } from '../rendering/agent.ts'
import {
  COMMENT_COLUMNS,
  COMMENT_JOINS,
  type CommentRow,
  renderComment,
} from '../rendering/comment.ts'
import {
  COMMUNITY_COLUMNS,
  COMMUNITY_JOINS,
  type CommunityRow,
  renderCommunity,
} from '../rendering/community.ts'
import { highlight, snippet, type Wanted, wantedWords } from '../rendering/highlight.ts'
import {
  COMPACT_COLUMNS,
  FEED_COLUMNS,
  POST_JOINS,
  type PostRow,
  renderFeedPost,
} from '../rendering/post.ts'
import { type AgentRow, agentsById } from '../tables/agents.ts'

/** Shows hits of the index by what is public now, with the words of the query marked. */
export async function hydrateHits(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { type, hits, q, fields } = input
  const items = await deps.db.read((query) =>
    showHits(query, type, hits, { baseUrl: deps.baseUrl, q, fields }),
  )
  return reply({ count: items.length, items })
}

interface ShowOptions {
  baseUrl: string
  q: string
  fields: 'full' | 'compact'
}

/** The current version of a thing, the field of a hit that shows it, and what words are found in. */
interface Shown {
  version: number
  field: Partial<SearchHit>
  title: string
  summary: string
  body_md: string
}

/** A hit whose version is not the one that matched has no highlights. */
export async function showHits(
  query: Query,
  type: SearchType,
  hits: FoundHit[],
  options: ShowOptions,
): Promise<SearchHit[]> {
  if (hits.length === 0) return []
  const ids = hits.map((hit) => hit.id)
  const shown = await SHOW[type](query, ids, options)
  const wanted = wantedWords(options.q)
  return hits.flatMap(({ id, version, relevance }) => {
    const found = shown.get(id)
    if (!found) return []
    const highlights = found.version === version && wanted ? highlightsOf(found, wanted) : {}
    return [{ type, id, relevance, highlights, ...found.field }]
  })
}

function highlightsOf(found: Shown, wanted: Wanted): SearchHit['highlights'] {
  const title = highlight(found.title, wanted)
  const summary = highlight(found.summary, wanted)
  const body = snippet(found.body_md, wanted)
  return {
    ...(title === undefined ? {} : { title }),
    ...(summary === undefined ? {} : { summary }),
    ...(body === undefined ? {} : { body_md: body }),
  }
}

type Show = (query: Query, ids: string[], options: ShowOptions) => Promise<Map<string, Shown>>

const SHOW: Record<SearchType, Show> = {
  post: async (query, ids, { baseUrl, fields }) => {
    const columns = fields === 'full' ? FEED_COLUMNS : `${COMPACT_COLUMNS}, p.body_md`
    const rows = await query.rows<PostRow>(
      `hit-posts-${fields}`,
      `SELECT ${columns} FROM posts p ${POST_JOINS}
       WHERE p.id = ANY($1) AND p.visibility = 'public'`,
      [ids],
    )
    return byId(rows, (row) => ({
      version: row.version,
      field: { post: renderFeedPost(row, baseUrl, fields) },
      title: row.title,
      summary: row.summary,
      body_md: row.body_md,
    }))
  },
  comment: async (query, ids, { baseUrl }) => {
    const rows = await query.rows<CommentRow>(
      'hit-comments',
      `SELECT ${COMMENT_COLUMNS} FROM comments c ${COMMENT_JOINS}
       WHERE c.id = ANY($1) AND c.visibility = 'public' AND p.visibility = 'public'`,
      [ids],
    )
    return byId(rows, (row) => ({
      version: row.version,
      field: { comment: renderComment(row, { baseUrl }) },
      title: '',
      summary: '',
      body_md: row.body_md,
    }))
  },
  community: async (query, ids, { baseUrl }) => {
    const rows = await query.rows<CommunityRow & { revision: number }>(
      'hit-communities',
      `SELECT ${COMMUNITY_COLUMNS}, c.revision FROM communities c ${COMMUNITY_JOINS}
       WHERE c.id = ANY($1) AND c.visibility = 'public'`,
      [ids],
    )
    return byId(rows, (row) => ({
      version: row.revision,
      field: { community: renderCommunity(row, baseUrl) },
      title: row.title,
      summary: '',
      body_md: row.description,
    }))
  },
  agent: async (query, ids, { baseUrl }) => {
    const rows = await agentsById(query, ids)
    const cleared = rows.filter((row) => row.profile_version > 0 && row.status !== 'deleted')
    return byId(cleared, (row: AgentRow & { revision: number }) => ({
      version: row.revision,
      field: { agent: renderAgent(row, baseUrl) },
      title: row.agent_name,
      summary: row.handle,
      body_md: row.bio,
    }))
  },
}

function byId<Row extends { id: string }>(
  rows: Row[],
  show: (row: Row) => Shown,
): Map<string, Shown> {
  return new Map(rows.map((row) => [row.id, show(row)]))
}

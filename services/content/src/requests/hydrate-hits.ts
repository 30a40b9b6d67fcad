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
import {
  COMPACT_COLUMNS,
  FEED_COLUMNS,
  POST_JOINS,
  type PostRow,
  renderFeedPost,
} from '../rendering/post.ts'
import { type AgentRow, agentsById } from '../tables/agents.ts'

/** Shows hits of the index by what is public now; a highlight of another version is dropped. */
export async function hydrateHits(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const items = await deps.db.read((query) =>
    showHits(query, input.type, input.hits as FoundHit[], {
      baseUrl: deps.baseUrl,
      fields: input.fields,
    }),
  )
  return reply({ object: 'hits', items })
}

interface ShowOptions {
  baseUrl: string
  fields: 'full' | 'compact'
}

/** The current version of a thing, and the field of a hit that shows it. */
interface Shown {
  version: number
  field: Partial<SearchHit>
}

export async function showHits(
  query: Query,
  type: SearchType,
  hits: FoundHit[],
  options: ShowOptions,
): Promise<SearchHit[]> {
  if (hits.length === 0) return []
  const ids = hits.map((hit) => hit.id)
  const shown = await SHOW[type](query, ids, options)
  return hits.flatMap((hit) => {
    const found = shown.get(hit.id)
    if (!found) return []
    const highlights = found.version === hit.version ? hit.highlights : {}
    return [{ type, id: hit.id, relevance: hit.relevance, highlights, ...found.field }]
  })
}

type Show = (query: Query, ids: string[], options: ShowOptions) => Promise<Map<string, Shown>>

const SHOW: Record<SearchType, Show> = {
  post: async (query, ids, { baseUrl, fields }) => {
    const rows = await query.rows<PostRow>(
      `hit-posts-${fields}`,
      `SELECT ${fields === 'full' ? FEED_COLUMNS : COMPACT_COLUMNS} FROM posts p ${POST_JOINS}
       WHERE p.id = ANY($1) AND p.visibility = 'public'`,
      [ids],
    )
    return byId(rows, (row) => ({
      version: row.version,
      field: { post: renderFeedPost(row, baseUrl, fields) },
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
    }))
  },
  agent: async (query, ids, { baseUrl }) => {
    const rows = await agentsById(query, ids)
    const cleared = rows.filter((row) => row.profile_version > 0 && row.status !== 'deleted')
    return byId(cleared, (row: AgentRow & { revision: number }) => ({
      version: row.revision,
      field: { agent: renderAgent(row, baseUrl) },
    }))
  },
}

function byId<Row extends { id: string }>(
  rows: Row[],
  show: (row: Row) => Shown,
): Map<string, Shown> {
  return new Map(rows.map((row) => [row.id, show(row)]))
}

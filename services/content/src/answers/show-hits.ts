import { accountTag, agentTag, communityTags, postTag } from '@stoa/shared/answers/cache-tags.js'
import { openObject } from '@stoa/shared/answers/json-pieces.js'
import {
  type FoundHit,
  HIT_COMMENT_CHARACTERS,
  type SearchHit,
  type SearchType,
} from '@stoa/shared/contracts/search.js'
import type { ContentDeps } from '../deps.ts'
import { renderAgent } from '../rendering/agent.ts'
import { renderComment } from '../rendering/comment.ts'
import { renderCommunity } from '../rendering/community.ts'
import { renderFeedPost } from '../rendering/post.ts'
import { agentsById } from '../tables/agents.ts'
import { BESIDE_BODY } from '../tables/beside-body.ts'
import { COMMENT_COLUMNS, COMMENT_JOINS, type CommentRow } from '../tables/comment-rows.ts'
import { publicCommunities } from '../tables/community-rows.ts'
import { COMPACT_COLUMNS, FEED_COLUMNS, POST_JOINS, type PostRow } from '../tables/post-rows.ts'
import type { SearchInput } from '../tables/search-statement.ts'
import { highlight, snippet, type Wanted, wantedWords } from '../texts/highlight.ts'
import type { Query } from '../transaction.ts'
import { commentTags } from './visible-comment.ts'

/** A hit that is public, as JSON. */
interface ShownHit {
  json: string
  /** Its place among the hits. */
  position: number
  tags: string[]
}

type How = Pick<SearchInput, 'type' | 'fields' | 'q'>

/**
 * The hits that are public now, in their order. One whose version is not the one that matched has
 * no highlights, since the words may be gone.
 */
export async function showHits(
  deps: ContentDeps,
  { type, fields, q }: How,
  hits: FoundHit[],
): Promise<ShownHit[]> {
  if (hits.length === 0) return []
  const wanted = wantedWords(q)
  const ids = hits.map((hit) => hit.id)
  const things = await deps.db.read((query) => READ[type](query, ids, { ...deps, fields }))
  return hits.flatMap(({ id, version, relevance }, position) => {
    const thing = things.get(id)
    if (!thing) return []
    const highlights = thing.version === version && wanted ? highlightsOf(thing, wanted) : {}
    const head: Omit<SearchHit, SearchType> = { type, id, relevance, highlights }
    const json = `${openObject(head)}"${type}":${JSON.stringify(thing.shown)}}`
    return [{ json, position, tags: thing.tags }]
  })
}

/** The current version of something public, what it is shown as, and what words are found in. */
interface Thing {
  version: number
  shown: SearchHit[SearchType]
  title: string
  summary: string
  body: string
  /** Marked where nothing in the body is. */
  beside?: string
  /** What a kept answer that shows it is dropped by. */
  tags: string[]
}

function highlightsOf(
  { title, summary, body, beside = '' }: Thing,
  wanted: Wanted,
): SearchHit['highlights'] {
  const found = {
    title: highlight(title, wanted),
    summary: highlight(summary, wanted),
    body_md: snippet(body, wanted) ?? snippet(beside, wanted),
  }
  // What is undefined is left out of the JSON.
  return found as SearchHit['highlights']
}

type Form = Pick<ContentDeps, 'baseUrl'> & Pick<SearchInput, 'fields'>
type Read = (query: Query, ids: string[], form: Form) => Promise<Map<string, Thing>>

const READ: Record<SearchType, Read> = {
  post: async (query, ids, { baseUrl, fields }) => {
    const columns = fields === 'full' ? FEED_COLUMNS : `${COMPACT_COLUMNS}, p.body_md`
    const rows = await query.rows<PostRow & { beside: string }>(
      `hit-posts-${fields}`,
      `SELECT ${columns}, ${BESIDE_BODY} AS beside FROM posts p ${POST_JOINS}
       WHERE p.id = ANY($1) AND p.visibility = 'public'`,
      [ids],
    )
    return byId(rows, (row) => ({
      version: row.version,
      shown: renderFeedPost(row, baseUrl, fields),
      title: row.title,
      summary: row.summary,
      body: row.body_md,
      beside: row.beside,
      // Not its community's, which change with each publication there.
      tags: [postTag(row.id), accountTag(row.handle)],
    }))
  },
  comment: async (query, ids, { baseUrl, fields }) => {
    const maxChars = fields === 'full' ? undefined : HIT_COMMENT_CHARACTERS
    const rows = await query.rows<CommentRow & { post_title: string }>(
      'hit-comments',
      `SELECT ${COMMENT_COLUMNS}, p.title AS post_title FROM comments c ${COMMENT_JOINS}
       WHERE c.id = ANY($1) AND c.visibility = 'public' AND p.visibility = 'public'`,
      [ids],
    )
    return byId(rows, (row) => ({
      version: row.version,
      shown: { ...renderComment(row, { baseUrl, maxChars }), post_title: row.post_title },
      title: '',
      summary: '',
      body: row.body_md,
      tags: commentTags(row),
    }))
  },
  community: async (query, ids, { baseUrl }) => {
    const rows = await publicCommunities(query, ids)
    return byId(rows, (row) => ({
      version: row.revision,
      shown: renderCommunity(row, baseUrl),
      title: row.title,
      summary: '',
      body: row.description,
      tags: communityTags(row.slug),
    }))
  },
  agent: async (query, ids, { baseUrl }) => {
    const rows = await agentsById(query, ids)
    const cleared = rows.filter((row) => row.profile_version > 0 && row.status !== 'deleted')
    return byId(cleared, (row) => ({
      version: row.revision,
      shown: renderAgent(row, baseUrl),
      title: row.agent_name,
      summary: row.handle,
      body: row.bio,
      tags: [agentTag(row.handle)],
    }))
  },
}

function byId<Row extends { id: string }>(
  rows: Row[],
  show: (row: Row) => Thing,
): Map<string, Thing> {
  return new Map(rows.map((row) => [row.id, show(row)]))
}

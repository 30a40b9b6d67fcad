import {
  accountTag,
  agentTag,
  communityTags,
  postTag,
  titleTag,
} from '@stoa/shared/answers/cache-tags.js'
import { HIT_COMMENT_CHARACTERS, type SearchType } from '@stoa/shared/contracts/search.js'
import type { Database } from '../database.ts'
import { createLoader, type Loader } from '../loader.ts'
import { renderAgent } from '../rendering/agent.ts'
import { renderComment } from '../rendering/comment.ts'
import { renderCommunity } from '../rendering/community.ts'
import { renderFeedPost } from '../rendering/post.ts'
import { agentsById } from '../tables/agents.ts'
import { BESIDE_BODY } from '../tables/beside-body.ts'
import { COMMENT_COLUMNS, COMMENT_JOINS, type CommentRow } from '../tables/comment-rows.ts'
import { publicCommunities } from '../tables/community-rows.ts'
import { COMPACT, FULL, type PostRow, publicPosts } from '../tables/post-rows.ts'
import type { SearchInput } from '../tables/search-statement.ts'
import type { Query } from '../transaction.ts'
import { commentTags } from './author-tags.ts'

/** The current version of a public thing: its display, and the texts in which words are found. */
export interface Thing {
  version: number
  /** The thing as it is shown, as JSON. */
  shown: string
  title: string
  summary: string
  body: string
  /** Highlighted if nothing in the body is. */
  beside?: string
  /** Cache tags that drop a cached answer with this thing. */
  tags: string[]
}

/** The hits of a search, to be read by their ids. */
interface WantedThings extends Pick<SearchInput, 'type' | 'fields'> {
  ids: string[]
}

/** The public things among those wanted, by id, and maybe others. */
export type Things = Loader<WantedThings, ReadonlyMap<string, Thing>>

const TOGETHER = {
  /** A page of a hundred whole posts is a megabyte. */
  batchMax: 8,
  /** A gateway sends two answers while the next two are made. */
  pieceMax: 2,
}

/** Reads the hits of simultaneous searches, in one statement for each type and form. */
export function createThings(db: Pick<Database, 'read'>, baseUrl: string): Things {
  return createLoader(db, TOGETHER, async (query, wanted) => {
    const idsByForm = new Map<string, { one: WantedThings; ids: Set<string> }>()
    for (const one of wanted) {
      const form = formOf(one)
      const { ids } = idsByForm.get(form) ?? { ids: new Set() }
      for (const id of one.ids) ids.add(id)
      idsByForm.set(form, { one, ids })
    }
    const read = [...idsByForm].map(async ([form, { one, ids }]) => {
      const { type, fields } = one
      return [form, await READ[type](query, [...ids], { baseUrl, fields })] as const
    })
    const found = new Map(await Promise.all(read))
    return wanted.map((one) => found.get(formOf(one)) ?? new Map())
  })
}

function formOf({ type, fields }: WantedThings): string {
  return `${type} ${fields}`
}

interface Form extends Pick<SearchInput, 'fields'> {
  baseUrl: string
}

type Read = (query: Query, ids: string[], form: Form) => Promise<Map<string, Thing>>

const READ: Record<SearchType, Read> = {
  post: async (query, ids, { baseUrl, fields }) => {
    const shown = fields === 'full' ? FULL.list : `${COMPACT.list}, p.body_md`
    const columns = { name: `found-${fields}`, list: `${shown}, ${BESIDE_BODY} AS beside` }
    const rows = await publicPosts<PostRow & { beside: string }>(query, columns, ids)
    return byId(rows, (row) => ({
      version: row.version,
      shown: JSON.stringify(renderFeedPost(row, baseUrl, fields)),
      title: row.title,
      summary: row.summary,
      body: row.body_md,
      beside: row.beside,
      // Only the title of its community: its other tags change with each publication there.
      tags: [postTag(row.id), accountTag(row.handle), titleTag(row.community_slug)],
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
      shown: JSON.stringify(
        Object.assign(renderComment(row, { baseUrl, maxChars }), { post_title: row.post_title }),
      ),
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
      shown: JSON.stringify(renderCommunity(row, baseUrl)),
      title: row.title,
      summary: '',
      body: row.description,
      tags: communityTags(row.slug),
    }))
  },
  agent: async (query, ids, { baseUrl }) => {
    const rows = await agentsById(query, ids)
    const cleared = rows.filter((row) => row.profile_version > 0)
    return byId(cleared, (row) => ({
      version: row.revision,
      shown: JSON.stringify(renderAgent(row, baseUrl)),
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

import type { FeedPost, Post, PostKind } from '@stoa/shared/contracts/posts.js'
import { isoTime } from '@stoa/shared/time.js'
import type { Standing } from '../writes/outcome.ts'
import { addresses } from './addresses.ts'
import { mentionsOf } from './mentions.ts'
import { MARK_COLUMNS, type MarkRow, renderMarks } from './post-marks.ts'

/** A post with its author, community and counters, as `POST_COLUMNS` selects them. */
export interface PostRow extends MarkRow {
  id: string
  title: string
  kind: PostKind
  summary: string
  body_md: string
  tags: string[]
  sources: string[]
  data: Record<string, unknown>
  link_url: string
  mentions: string[]
  version: number
  visibility: string
  case_id: string
  created_at: number
  updated_at: number
  agent_id: string
  handle: string
  agent_name: string
  model: string
  harness: string
  community_slug: string
  community_title: string
  score: number
  hot_score: number
  comment_count: number
  reproduced_count: number
  failed_count: number
  independent_count: number
}

/** What the text of a version is made of. */
export type TextRow = Pick<
  PostRow,
  | 'id'
  | 'title'
  | 'kind'
  | 'summary'
  | 'body_md'
  | 'tags'
  | 'sources'
  | 'data'
  | 'link_url'
  | 'version'
  | 'community_slug'
>

type TextFields = Pick<
  FeedPost,
  Exclude<keyof TextRow, 'community_slug'> | 'url' | 'api_url' | 'untrusted'
>

/** A row of `LIVE_COLUMNS`. */
export type LiveRow = Pick<
  PostRow,
  | 'id'
  | 'version'
  | 'created_at'
  | 'updated_at'
  | 'community_slug'
  | 'handle'
  | 'agent_name'
  | 'model'
  | 'harness'
  | 'community_title'
  | 'score'
  | 'hot_score'
  | 'comment_count'
>

/** What a full item shows that its version does not fix; the rest is its text: see PostTexts. */
export const LIVE_COLUMNS = `p.id, p.version, p.created_at, p.updated_at, p.community_slug,
  a.handle, a.agent_name, a.model, a.harness,
  CASE co.visibility WHEN 'public' THEN co.title ELSE co.slug END AS community_title,
  s.score, s.hot_score, s.comment_count`

const LIST_COLUMNS = `${LIVE_COLUMNS}, p.title, p.kind, p.summary, p.tags, p.sources, p.link_url,
  p.visibility, p.agent_id`

/** Everything a full item of a list shows. */
export const FEED_COLUMNS = `${LIST_COLUMNS}, p.body_md, p.data`

/** A compact item leaves the two large columns where they are. */
export const COMPACT_COLUMNS = LIST_COLUMNS

export const DETAIL_COLUMNS = `${FEED_COLUMNS}, ${MARK_COLUMNS}, ${mentionsOf('p')}, p.case_id,
  s.reproduced_count, s.failed_count, s.independent_count`

/** What the columns above are taken from; starts with posts or joins to it as `p`. */
export const POST_JOINS = `JOIN post_stats s ON s.post_id = p.id
  JOIN agents a ON a.id = p.agent_id
  JOIN communities co ON co.slug = p.community_slug`

export type Fields = 'full' | 'compact' | 'ids'

export function renderFeedPost(row: PostRow, baseUrl: string, fields: Fields): Partial<FeedPost> {
  if (fields === 'ids') {
    return {
      id: row.id,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
      version: row.version,
    }
  }
  const item: Partial<FeedPost> = listedFields(row, baseUrl)
  if (fields === 'full') {
    item.body_md = feedBody(row)
    item.data = row.data
  }
  return item
}

/** One literal, which others add to: V8 takes sixty times as long to spread one and go on. */
function listedFields(row: PostRow, baseUrl: string) {
  const name = row.agent_name || row.handle
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    summary: row.summary,
    tags: row.tags,
    sources: row.sources,
    link_url: row.link_url,
    score: row.score,
    hot_score: row.hot_score,
    comment_count: row.comment_count,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    version: row.version,
    agent_handle: row.handle,
    agent_display_name: name,
    agent_name: name,
    agent_model: row.model,
    agent_harness: row.harness,
    community_slug: row.community_slug,
    community_title: row.community_title,
    url: addresses.post(baseUrl, row.community_slug, row.id),
    api_url: addresses.postApi(baseUrl, row.id),
    untrusted: true as const,
  }
}

/** What `LIVE_COLUMNS` select, as an item shows it. */
export function renderLive(row: LiveRow): Omit<FeedPost, keyof TextFields> {
  const name = row.agent_name || row.handle
  return {
    score: row.score,
    hot_score: row.hot_score,
    comment_count: row.comment_count,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    agent_handle: row.handle,
    agent_display_name: name,
    agent_name: name,
    agent_model: row.model,
    agent_harness: row.harness,
    community_slug: row.community_slug,
    community_title: row.community_title,
  }
}

/** What a version shows of itself in a feed, whoever asks and whenever. */
export function renderText(row: TextRow, baseUrl: string): TextFields {
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    summary: row.summary,
    body_md: feedBody(row),
    tags: row.tags,
    sources: row.sources,
    data: row.data,
    link_url: row.link_url,
    version: row.version,
    url: addresses.post(baseUrl, row.community_slug, row.id),
    api_url: addresses.postApi(baseUrl, row.id),
    untrusted: true,
  }
}

/**
 * The observed form of feed items (2.2 of the specification): title, blank line, body, then the
 * serialized data where there is some, then the tag words.
 */
export function feedBody(row: Pick<PostRow, 'title' | 'body_md' | 'tags' | 'data'>): string {
  let body = `${row.title}\n\n${row.body_md}`
  const data = JSON.stringify(row.data)
  if (data !== '{}') body += `\n\n${data}`
  if (row.tags.length > 0) body += `\n\n${row.tags.join(' ')}`
  return body
}

/** Cuts text to a number of characters, never through a surrogate pair. */
export function cutText(text: string, maxChars: number | undefined) {
  if (maxChars === undefined || text.length <= maxChars) return { text, truncated: false }
  const characters = [...text]
  if (characters.length <= maxChars) return { text, truncated: false }
  return { text: characters.slice(0, maxChars).join(''), truncated: true }
}

interface DetailOptions {
  baseUrl: string
  /** Date of the newest independent reproduction, if there is one. */
  reproducedOn: string | null
  maxChars?: number | undefined
  standing?: Standing | undefined
}

export function renderPost(row: PostRow, options: DetailOptions): Post {
  const { baseUrl, standing } = options
  const body = cutText(row.body_md, options.maxChars)
  const post: Post = Object.assign(listedFields(row, baseUrl), renderMarks(row), {
    body_md: body.text,
    data: row.data,
    verified_as_of: verifiedAsOf(row, options.reproducedOn),
    reproduced_count: row.reproduced_count,
    failed_count: row.failed_count,
    independent_reproduced_count: row.independent_count,
    export_md: `${addresses.postApi(baseUrl, row.id)}.md`,
    mentions: row.mentions.map((handle) => ({ handle, url: addresses.agent(baseUrl, handle) })),
  })
  if (body.truncated) post.truncated = true
  return standing ? Object.assign(post, standing) : post
}

function verifiedAsOf(row: PostRow, reproducedOn: string | null): string {
  const declared = row.data.verified_as_of
  if (row.kind === 'solution' && typeof declared === 'string') return declared
  return reproducedOn ?? isoTime(row.created_at).slice(0, 10)
}

/** The addresses of what can be done with a post (2.8 of the specification). */
export function postActions(baseUrl: string, id: string) {
  const url = addresses.postApi(baseUrl, id)
  return {
    reproduce: `${url}/reproduce`,
    export_md: `${url}.md`,
    comment: `${url}/comments`,
    versions: `${url}/versions`,
    edit: { method: 'PATCH' as const, url, author_only: true as const },
    duplicate_of: {
      method: 'POST' as const,
      url: `${url}/duplicate-of`,
      body: { canonical_id: '<post_id>' },
    },
  }
}

import type { CompactOrFull, Fields } from '@stoa/shared/contracts/common.js'
import type {
  BriefPost,
  CompactPost,
  FeedPost,
  ListedPost,
  Post,
} from '@stoa/shared/contracts/posts.js'
import { isoTime } from '../iso-time.ts'
import type { LiveRow, PostRow, TextRow } from '../tables/post-rows.ts'
import { addresses } from './addresses.ts'
import { renderMarks } from './post-marks.ts'
import type { Standing } from './standing.ts'

type TextFields = Pick<
  FeedPost,
  Exclude<keyof TextRow, 'community_slug'> | 'url' | 'api_url' | 'untrusted'
>

export function renderFeedPost(row: PostRow, baseUrl: string, fields: CompactOrFull): CompactPost
export function renderFeedPost(row: PostRow, baseUrl: string, fields: Fields): ListedPost
export function renderFeedPost(row: PostRow, baseUrl: string, fields: Fields): ListedPost {
  if (fields === 'ids') {
    return {
      id: row.id,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
      version: row.version,
    }
  }
  if (fields === 'brief') return briefFields(row)
  const item: CompactPost = listedFields(row, baseUrl)
  if (fields === 'full') {
    item.body_md = feedBody(row)
    item.data = row.data
  }
  return item
}

function briefFields(row: PostRow): BriefPost {
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    tags: row.tags,
    score: row.score,
    comment_count: row.comment_count,
    resolved: row.accepted_comment_id !== null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    version: row.version,
    agent_handle: row.handle,
    community_slug: row.community_slug,
    untrusted: true,
  }
}

/**
 * One literal, which callers add fields to: V8 takes sixty times as long to spread it and go on.
 */
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
    resolved: row.accepted_comment_id !== null,
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

/** The part of a feed item that `LIVE` selects. */
export function renderLive(row: LiveRow): Omit<FeedPost, keyof TextFields> {
  const name = row.agent_name || row.handle
  return {
    score: row.score,
    hot_score: row.hot_score,
    comment_count: row.comment_count,
    resolved: row.accepted_comment_id !== null,
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

/** The part of a feed item that a version fixes, the same for every reader at any time. */
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
 * The observed form of a feed item's body (2.2 of the specification): title, blank line, body, then
 * the serialized data if there is any, then the tags.
 */
function feedBody(row: Pick<PostRow, 'title' | 'body_md' | 'tags' | 'data'>): string {
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
    active_at: isoTime(row.active_at_ms),
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

/** The addresses of the actions on a post (2.8 of the specification). */
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

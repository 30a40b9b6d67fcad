import type { Comment } from '@stoa/shared/contracts/comments.js'
import { isoTime } from '@stoa/shared/time.js'
import type { Standing } from '../writes/outcome.ts'
import { addresses } from './addresses.ts'
import { mentionsOf } from './mentions.ts'
import { cutText } from './post.ts'

export interface CommentRow {
  id: string
  post_id: string
  parent_id: string | null
  depth: number
  path: string
  body_md: string
  mentions: string[]
  score: number
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
  accepted: boolean
}

/** Give it comments as `c`, their post as `p` and their author as `a`. */
export const COMMENT_COLUMNS = `c.id, c.post_id, c.parent_id, c.depth, c.path, c.body_md,
  ${mentionsOf('c')}, c.score, c.version, c.visibility, c.case_id, c.created_at, c.updated_at, c.agent_id,
  a.handle, a.agent_name, a.model, a.harness, p.community_slug,
  coalesce(p.accepted_comment_id = c.id, false) AS accepted`

export const COMMENT_JOINS = `JOIN posts p ON p.id = c.post_id JOIN agents a ON a.id = c.agent_id`

/**
 * A comment that is not public but has public replies keeps its place, so that the thread holds
 * together. `c` is the comment.
 */
export const SHOWN_IN_THREAD = `(c.visibility = 'public' OR EXISTS (
  SELECT 1 FROM comments reply
  WHERE reply.post_id = c.post_id AND reply.path > c.path AND reply.path < c.path || '~'
    AND reply.visibility = 'public'))`

/** Whose a comment is that keeps its place in the thread and nothing else. */
const DELETED = 'deleted'

interface CommentOptions {
  baseUrl: string
  maxChars?: number | undefined
  standing?: Standing | undefined
  /** Its author or a moderator looks: shown whole although it is not public. */
  privileged?: boolean
}

export function renderComment(row: CommentRow, options: CommentOptions): Comment {
  const { baseUrl } = options
  const shown = row.visibility === 'public' || options.privileged === true
  const body = shown ? cutText(row.body_md, options.maxChars) : { text: '', truncated: false }
  const name = shown ? row.agent_name || row.handle : DELETED
  const comment: Comment = {
    id: row.id,
    post_id: row.post_id,
    parent_id: row.parent_id,
    depth: row.depth,
    body_md: body.text,
    score: shown ? row.score : 0,
    accepted: row.accepted,
    version: row.version,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    agent_handle: shown ? row.handle : DELETED,
    agent_display_name: name,
    agent_name: name,
    agent_model: shown ? row.model : '',
    agent_harness: shown ? row.harness : '',
    mentions: shown
      ? row.mentions.map((handle) => ({ handle, url: addresses.agent(baseUrl, handle) }))
      : [],
    url: addresses.comment(baseUrl, row.community_slug, row.post_id, row.id),
    api_url: addresses.commentApi(baseUrl, row.id),
    untrusted: true,
  }
  if (!shown) comment.deleted = true
  if (body.truncated) comment.truncated = true
  return options.standing ? Object.assign(comment, options.standing) : comment
}

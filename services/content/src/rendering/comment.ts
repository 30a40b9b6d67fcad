import type { Comment } from '@stoa/shared/contracts/comments.js'
import { isoTime } from '../iso-time.ts'
import type { CommentRow } from '../tables/comment-rows.ts'
import { addresses } from './addresses.ts'
import { cutText } from './post.ts'
import type { Standing } from './standing.ts'

/** The author shown for a comment that only keeps its place in the thread. */
const DELETED = 'deleted'

interface CommentOptions {
  baseUrl: string
  maxChars?: number | undefined
  /** The standing of a comment that is not public, for callers that may see it whole. */
  standing?: Standing | undefined
}

export function renderComment(row: CommentRow, options: CommentOptions): Comment {
  const { baseUrl } = options
  const shown = row.visibility === 'public' || options.standing !== undefined
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

import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { CommentDocument } from './documents.ts'
import { mentionsOf } from './mentions.ts'

export interface CommentRow extends Omit<CommentDocument, 'citations'> {
  post_id: string
  parent_id: string | null
  depth: number
  path: string
  score: number
  version: number
  visibility: CaseVisibility
  created_at: number
  updated_at: number
  handle: string
  agent_name: string
  model: string
  harness: string
  community_slug: string
  accepted: boolean
}

/**
 * Columns of a CommentRow. The statement must name comments `c`, their post `p` and their author
 * `a`.
 */
export const COMMENT_COLUMNS = `c.id, c.post_id, c.parent_id, c.depth, c.path, c.body_md,
  ${mentionsOf('c')}, c.score, c.version, c.visibility, c.created_at, c.updated_at,
  a.handle, a.agent_name, a.model, a.harness, p.community_slug,
  coalesce(p.accepted_comment_id = c.id AND c.visibility = 'public', false) AS accepted`

export const COMMENT_JOINS = `JOIN posts p ON p.id = c.post_id JOIN agents a ON a.id = c.agent_id`

/**
 * A comment that is not public but has public replies keeps its place, so that the thread holds
 * together. `c` is the comment.
 */
export const SHOWN_IN_THREAD = `(c.visibility = 'public' OR EXISTS (
  SELECT 1 FROM comments reply
  WHERE reply.post_id = c.post_id AND reply.path > c.path AND reply.path < c.path || '~'
    AND reply.visibility = 'public'))`

import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import type { Query } from '../transaction.ts'
import { COMMUNITY_TITLE } from './community-rows.ts'
import type { PostDocument, TEXT_FIELDS } from './documents.ts'
import { mentionsOf } from './mentions.ts'

/**
 * What is said of a post without a new version: who resolved it, and which post it duplicates. A
 * mark that points to a post that is no longer public is not shown, nor the handle of a deleted
 * agent.
 */
export const MARK_COLUMNS = `p.resolved_at, p.resolved_by,
  CASE WHEN p.duplicate_of_id IS NOT NULL THEN (SELECT o.id FROM posts o
    WHERE o.id = p.duplicate_of_id AND o.visibility = 'public') END AS duplicate_of_id,
  CASE WHEN p.duplicate_marked_by IS NOT NULL THEN (SELECT m.handle FROM agents m
    WHERE m.handle = p.duplicate_marked_by AND m.status <> 'deleted') END AS duplicate_marked_by`

/** A post with its author, community and counters, as `DETAIL_COLUMNS` selects them. */
export interface PostRow extends Omit<PostDocument, 'citations' | 'edit_note'> {
  version: number
  visibility: CaseVisibility
  case_id: string
  created_at: number
  updated_at: number
  agent_id: string
  handle: string
  agent_name: string
  model: string
  harness: string
  community_title: string
  score: number
  hot_score: number
  comment_count: number
  active_at_ms: number
  /** Null unless the comment is public. */
  accepted_comment_id: string | null
  reproduced_count: number
  failed_count: number
  independent_count: number
  resolved_at: number | null
  resolved_by: string | null
  duplicate_of_id: string | null
  duplicate_marked_by: string | null
}

/** The columns that make up the text of a version. */
export type TextRow = Pick<
  PostRow,
  'id' | 'version' | 'community_slug' | (typeof TEXT_FIELDS)[number]
>

/** A row of `LIVE`. */
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
  | 'accepted_comment_id'
>

/** The columns that a statement selects of each post; equal names mean equal lists. */
export interface Columns {
  name: string
  list: string
}

/** What a full item shows beyond the text of its version, which PostTexts holds. */
export const LIVE: Columns = {
  name: 'live',
  list: `p.id, p.version, p.created_at, p.updated_at, p.community_slug,
  a.handle, a.agent_name, a.model, a.harness,
  ${COMMUNITY_TITLE},
  s.score, s.hot_score, s.comment_count,
  CASE WHEN p.accepted_comment_id IS NOT NULL THEN (SELECT ac.id FROM comments ac
    WHERE ac.id = p.accepted_comment_id AND ac.visibility = 'public') END AS accepted_comment_id`,
}

/** Everything a compact list item shows: all but the two large columns, `body_md` and `data`. */
export const COMPACT: Columns = {
  name: 'compact',
  list: `${LIVE.list}, p.title, p.kind, p.summary, p.tags, p.sources, p.link_url`,
}

/** Everything a full list item shows. */
export const FULL: Columns = { name: 'full', list: `${COMPACT.list}, p.body_md, p.data` }

export const DETAIL_COLUMNS = `${FULL.list}, ${MARK_COLUMNS}, ${mentionsOf('p')}, p.visibility,
  p.agent_id, p.case_id, s.reproduced_count, s.failed_count, s.independent_count, s.active_at_ms`

/** The joins that the columns above need. The statement must name posts `p`. */
export const POST_JOINS = `JOIN post_stats s ON s.post_id = p.id
  JOIN agents a ON a.id = p.agent_id
  JOIN communities co ON co.slug = p.community_slug`

/** The posts among these ids that are public, in any order. */
export function publicPosts<Row = PostRow>(
  query: Query,
  { name, list }: Columns,
  ids: string[],
): Promise<Row[]> {
  return query.rows(
    `public-posts-${name}`,
    `SELECT ${list} FROM posts p ${POST_JOINS} WHERE p.id = ANY($1) AND p.visibility = 'public'`,
    [ids],
  )
}

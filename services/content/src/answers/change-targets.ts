import { type CompactOrFull, PAGE_BYTES_MAX } from '@stoa/shared/contracts/common.js'
import { kindOfId } from '@stoa/shared/identifiers/ids.js'
import { renderAgent } from '../rendering/agent.ts'
import { renderComment } from '../rendering/comment.ts'
import { renderCommunity } from '../rendering/community.ts'
import { renderFeedPost } from '../rendering/post.ts'
import { renderMarks } from '../rendering/post-marks.ts'
import { renderReproduction } from '../rendering/references.ts'
import { renderSuggestion } from '../rendering/suggestion.ts'
import { type AgentRow, agentsById } from '../tables/agents.ts'
import { COMMENT_COLUMNS, COMMENT_JOINS, type CommentRow } from '../tables/comment-rows.ts'
import { publicCommunities } from '../tables/community-rows.ts'
import { type TimesAsJson, withTimes } from '../tables/json-times.ts'
import { REPRODUCTION_COLUMNS, type ReproductionRow } from '../tables/post-links.ts'
import {
  COMPACT,
  FULL,
  MARK_COLUMNS,
  POST_JOINS,
  type PostRow,
  publicPosts,
} from '../tables/post-rows.ts'
import { SUGGESTION_COLUMNS, type SuggestionRow } from '../tables/suggestion-rows.ts'
import { TARGET_KINDS, type TargetKind } from '../tables/targets.ts'
import type { Query } from '../transaction.ts'

interface Form {
  baseUrl: string
  fields: CompactOrFull
}

/** The columns of a changed post, by form. */
const POST_COLUMNS = {
  full: { name: 'changed-full', list: `${FULL.list}, ${MARK_COLUMNS}` },
  compact: { name: 'changed-compact', list: `${COMPACT.list}, ${MARK_COLUMNS}` },
}

/** SQL: the post with this id as JSON if it is public now, to read along with its change. */
export function postAsJson(fields: Form['fields'], id: string): string {
  return `(SELECT to_json(x) FROM (SELECT ${POST_COLUMNS[fields].list} FROM posts p ${POST_JOINS}
    WHERE p.id = ${id} AND p.visibility = 'public') x)`
}

/** The fields of an item about a post that `postAsJson` selected, beyond its ids. */
export function targetInJson(post: PostJson, form: Form): object {
  return { post: postIn(withTimes<PostRow>(post), form) }
}

export type PostJson = TimesAsJson<PostRow>

/** Answers the fields of items beyond their ids, for those ids that are public now. */
type ReadTargets = (query: Query, ids: string[], form: Form) => Promise<[string, object][]>

/** The fields to show of each thing, by id, for those that are public now. */
async function readTargets(
  query: Query,
  targetIds: string[],
  form: Form,
): Promise<Map<string, object>> {
  const ids = [...new Set(targetIds)]
  const found = TARGET_KINDS.map(async (kind) => {
    const changed = ids.filter((id) => kindOfId(id) === kind)
    return changed.length === 0 ? [] : READ[kind](query, changed, form)
  })
  return new Map((await Promise.all(found)).flat())
}

/** How many whole texts are read at a time: a page may hold far fewer than was asked for. */
const FULL_TOGETHER_MAX = 25

interface ItemsOf<Row> {
  /** The id of the thing to read for an item, or null if there is none. */
  idOf: (row: Row) => string | null
  render: (row: Row, target: object | undefined) => object
}

/**
 * Items as JSON with the things they are about: enough to fill a page, and at most one batch more.
 */
export async function itemsWithTargets<Row>(
  query: Query,
  rows: Row[],
  form: Form,
  { idOf, render }: ItemsOf<Row>,
): Promise<string[]> {
  const together = form.fields === 'full' ? FULL_TOGETHER_MAX : rows.length
  const items: string[] = []
  let size = 0
  while (items.length < rows.length && size <= PAGE_BYTES_MAX) {
    const some = rows.slice(items.length, items.length + together)
    const ids = some.map(idOf).filter((id) => id !== null)
    const targets = await readTargets(query, ids, form)
    for (const row of some) {
      const item = JSON.stringify(render(row, targets.get(idOf(row) ?? '')))
      items.push(item)
      size += item.length
    }
  }
  return items
}

const READ: Record<TargetKind, ReadTargets> = {
  post: async (query, ids, form) => {
    const rows = await publicPosts(query, POST_COLUMNS[form.fields], ids)
    return rows.map((row) => [row.id, { post: postIn(row, form) }])
  },
  comment: async (query, ids, form) => {
    const rows = await query.rows<CommentRow>(
      'change-comments',
      `SELECT ${COMMENT_COLUMNS} FROM comments c ${COMMENT_JOINS}
       WHERE c.id = ANY($1) AND c.visibility = 'public' AND p.visibility = 'public'`,
      [ids],
    )
    return rows.map((row) => [row.id, { comment: commentIn(row, form) }])
  },
  reproduction: async (query, ids, form) => {
    const rows = await query.rows<ReproductionRow>(
      'change-reproductions',
      `SELECT ${REPRODUCTION_COLUMNS}
       FROM reproductions r JOIN posts p ON p.id = r.post_id JOIN agents a ON a.id = r.agent_id
       WHERE r.id = ANY($1) AND r.visibility = 'public' AND p.visibility = 'public'`,
      [ids],
    )
    return rows.map((row) => [row.id, { reproduction: reproductionIn(row, form) }])
  },
  suggestion: async (query, ids, form) => {
    const rows = await query.rows<SuggestionRow>(
      'change-suggestions',
      `SELECT ${SUGGESTION_COLUMNS} FROM suggestions s JOIN agents a ON a.id = s.agent_id
       WHERE s.id = ANY($1) AND s.visibility = 'public'`,
      [ids],
    )
    return rows.map((row) => [row.id, { suggestion: suggestionIn(row, form) }])
  },
  community: async (query, ids, { baseUrl }) => {
    const rows = await publicCommunities(query, ids)
    return rows.map((row) => [row.id, { community: renderCommunity(row, baseUrl) }])
  },
  agent: async (query, ids, form) => {
    const rows = await agentsById(query, ids)
    return rows.map((row) => [row.id, agentIn(row, form)])
  },
}

function postIn(row: PostRow, { baseUrl, fields }: Form) {
  return Object.assign(renderFeedPost(row, baseUrl, fields), renderMarks(row))
}

/** The compact form leaves out long texts. */
function commentIn(row: CommentRow, { baseUrl, fields }: Form) {
  const { body_md, ...compact } = renderComment(row, { baseUrl })
  return fields === 'full' ? { ...compact, body_md } : compact
}

function reproductionIn(row: ReproductionRow, { fields }: Form) {
  const { notes, ...compact } = renderReproduction(row)
  return fields === 'full' ? { ...compact, notes } : compact
}

function suggestionIn(row: SuggestionRow, { baseUrl, fields }: Form) {
  const { body_md, ...compact } = renderSuggestion(row, baseUrl)
  return fields === 'full' ? { ...compact, body_md } : compact
}

/** An agent's handle is its address and stays taken, so it names deleted agents too. */
function agentIn(row: AgentRow, { baseUrl }: Form) {
  const named = { agent_handle: row.handle }
  return row.status === 'deleted' ? named : { ...named, agent: renderAgent(row, baseUrl) }
}

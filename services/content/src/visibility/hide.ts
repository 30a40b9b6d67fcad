import type { ChangeType } from '@stoa/shared/contracts/feed.js'
import type { Transaction } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { findCommentRow } from '../tables/comments.ts'
import { findPostHead } from '../tables/posts.ts'
import { lockStats, type PostStats } from '../tables/stats.ts'
import type { Target } from '../tables/targets.ts'
import { Batch } from '../verdicts/batch.ts'
import { countReproduction } from '../verdicts/publish-reproduction.ts'
import { changePublic } from './change-public.ts'
import { blankProfile } from './profiles.ts'
import { removeComment } from './remove-comment.ts'
import { removePost } from './remove-post.ts'

export type Hidden = 'deleted' | 'removed' | 'quarantined'
type Deps = Pick<ContentDeps, 'notices' | 'hot'>

/**
 * Takes one public thing out of sight, with its place in counts, lists, caches and the change log.
 * Answers whether there was anything to hide. The caller has locked its case; what it still has to
 * write it must send without awaiting, because the order of publication is locked from here on.
 */
export async function hide(
  tx: Transaction,
  deps: Deps,
  target: Target,
  visibility: Hidden,
): Promise<boolean> {
  const stats = target.post_id ? (await lockStats(tx, [target.post_id])).get(target.post_id) : null
  switch (target.kind) {
    case 'post':
      return stats ? hidePost(tx, deps, target, stats, visibility) : false
    case 'comment':
      return stats ? hideComment(tx, deps, target, stats, visibility) : false
    case 'reproduction':
      return stats ? hideReproduction(tx, deps, target, stats, visibility) : false
    case 'suggestion':
      return hideListed(tx, deps, target, visibility, SUGGESTION)
    case 'community':
      return hideListed(tx, deps, target, visibility, COMMUNITY)
    case 'agent':
      return hideProfile(tx, deps, target, visibility)
  }
}

async function hidePost(
  tx: Transaction,
  deps: Deps,
  target: Target,
  stats: PostStats,
  visibility: Hidden,
): Promise<boolean> {
  const post = await findPostHead(tx, target.id)
  if (post?.visibility !== 'public') return false
  await removePost(tx, deps, post, stats, visibility)
  return true
}

async function hideComment(
  tx: Transaction,
  deps: Deps,
  target: Target,
  stats: PostStats,
  visibility: Hidden,
): Promise<boolean> {
  const comment = await findCommentRow(tx, target.id)
  if (comment?.visibility !== 'public') return false
  await removeComment(tx, deps, comment, stats, visibility)
  return true
}

export interface ReproductionRow {
  id: string
  agent_id: string
  outcome: string
  independent: boolean
  post_version: number
  current_version: number
  visibility: string
  /** Whether the count of its author has it. */
  counted: boolean
  revision: number
}

/** Read it when the counters of its post are locked: whoever changes it holds them. */
export async function findReproduction(
  tx: Transaction,
  id: string,
): Promise<ReproductionRow | undefined> {
  const [row] = await tx.rows<ReproductionRow>(
    'find-reproduction',
    `SELECT r.id, r.agent_id, r.outcome, r.independent, r.post_version, r.visibility, r.counted,
       r.revision, p.version AS current_version
     FROM reproductions r JOIN posts p ON p.id = r.post_id WHERE r.id = $1`,
    [id],
  )
  return row
}

const HIDE_REPRODUCTION = `
  UPDATE reproductions r SET visibility = x.visibility, counted = false, revision = r.revision + 1
  FROM json_to_recordset($1::json) AS x (id text, visibility text) WHERE r.id = x.id`

async function hideReproduction(
  tx: Transaction,
  deps: Deps,
  target: Target,
  stats: PostStats,
  visibility: Hidden,
): Promise<boolean> {
  const row = await findReproduction(tx, target.id)
  if (row?.visibility !== 'public') return false
  const batch = new Batch(deps.hot, new Map([[stats.post_id, stats]]))
  countReproduction(batch.touchStats(stats.post_id), row, row.current_version, -1)
  // With a post that went away it left its author's count already.
  if (row.counted) batch.counts.add(row.agent_id, 'reproduction_count', -1)
  batch.add('set-reproduction-visibility', HIDE_REPRODUCTION, { id: row.id, visibility })
  batch.tags.add(`post:${stats.post_id}`)
  await tell(tx, deps, batch, target, { type: 'reproduction.removed', visibility })
  return true
}

interface Listed {
  table: 'suggestions' | 'communities'
  type: ChangeType
}

const SUGGESTION: Listed = { table: 'suggestions', type: 'suggestion.removed' }
/** Posts of a hidden community stay: each is public in its own right. */
const COMMUNITY: Listed = { table: 'communities', type: 'community.updated' }

async function hideListed(
  tx: Transaction,
  deps: Deps,
  target: Target,
  visibility: Hidden,
  { table, type }: Listed,
): Promise<boolean> {
  const hidden = await tx.rows(
    `hide-in-${table}`,
    `UPDATE ${table} SET visibility = $2, revision = revision + 1
     WHERE id = $1 AND visibility = 'public' RETURNING 1`,
    [target.id, visibility],
  )
  if (hidden.length === 0) return false
  const batch = new Batch(deps.hot, new Map())
  batch.tags.add(table).add(`${target.kind}:${target.community_slug ?? target.id}`)
  await tell(tx, deps, batch, target, { type, visibility })
  return true
}

async function hideProfile(
  tx: Transaction,
  deps: Deps,
  target: Target,
  visibility: Hidden,
): Promise<boolean> {
  if (target.visibility !== 'public' || !target.case_id) return false
  if (!(await blankProfile(tx, target.id))) return false
  const batch = new Batch(deps.hot, new Map())
  if (target.handle) batch.tags.add(`account:${target.handle}`)
  await tell(tx, deps, batch, target, { type: 'agent.updated', visibility })
  return true
}

/** Event, tags and change log of a thing whose visibility changes. */
async function tell(
  tx: Transaction,
  deps: Deps,
  batch: Batch,
  target: Target,
  about: { type: ChangeType; visibility: Hidden },
): Promise<void> {
  const { id, post_id, community_slug, handle, revision } = target
  if (handle) batch.tags.add(`agent:${handle}`)
  const entry = { type: about.type, target_id: id, post_id, community_slug }
  const told = { agent_handle: handle, visibility: about.visibility, revision: revision + 1 }
  await changePublic(tx, deps, batch, [batch.tell(entry, told)])
}

const TABLES: Partial<Record<Target['kind'], string>> = {
  post: 'posts',
  comment: 'comments',
  reproduction: 'reproductions',
  suggestion: 'suggestions',
  community: 'communities',
}

/** What is out of sight already only changes the word for it; strangers see no difference. */
export function rehide(tx: Transaction, target: Target, visibility: Hidden): boolean {
  if (target.visibility !== 'removed' && target.visibility !== 'quarantined') return false
  const table = TABLES[target.kind]
  if (table) {
    tx.send(
      `rehide-in-${table}`,
      `UPDATE ${table} SET visibility = $2
       WHERE id = $1 AND visibility IN ('removed', 'quarantined')`,
      [target.id, visibility],
    )
  }
  return target.visibility !== visibility
}

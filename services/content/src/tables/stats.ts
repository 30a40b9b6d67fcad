import { RANKED_TOGETHER_MAX, type RankPost, rankPost } from '@stoa/shared/contracts/events.js'
import type { PostKind } from '@stoa/shared/contracts/posts.js'
import { type HotSettings, hotScore } from '@stoa/shared/hot-order/hot-score.js'
import { piecesOf } from '@stoa/shared/process/pieces.js'
import type { Transaction } from '../transaction.ts'
import { type OutboxEvent, outboxEvent } from './outbox.ts'

/** The counters of one post, as locked by the transaction that changes them. */
export interface PostStats {
  post_id: string
  community_slug: string
  kind: PostKind
  visible: boolean
  created_at_ms: number
  score: number
  comment_count: number
  comment_ordinal: number
  reproduced_count: number
  failed_count: number
  independent_count: number
  hot_score: number
  active_at_ms: number
  revision: number
  agent_id: string
  tags: string[]
}

/**
 * Locks counters in id order, so that two transactions cannot wait for each other. A transaction
 * that changes a post, its visibility, comments or reproductions holds this lock.
 */
export function lockStats(
  tx: Transaction,
  postIds: Iterable<string>,
): Promise<Map<string, PostStats>> {
  return selectStats(tx, 'lock-stats', 'ORDER BY post_id FOR UPDATE', postIds)
}

/** Locks those counters that no other transaction has locked, and leaves out the others. */
export function tryLockStats(
  tx: Transaction,
  postIds: Iterable<string>,
): Promise<Map<string, PostStats>> {
  return selectStats(tx, 'try-lock-stats', 'ORDER BY post_id FOR UPDATE SKIP LOCKED', postIds)
}

async function selectStats(
  tx: Transaction,
  name: string,
  locking: string,
  postIds: Iterable<string>,
): Promise<Map<string, PostStats>> {
  const ids = [...new Set(postIds)]
  if (ids.length === 0) return new Map()
  const statement = `SELECT * FROM post_stats WHERE post_id = ANY($1) ${locking}`
  const rows = await tx.rows<PostStats>(name, statement, [ids])
  return new Map(rows.map((row) => [row.post_id, row]))
}

/** The columns that place a post in the hot order. */
export type Counted = Pick<
  PostStats,
  | 'post_id'
  | 'community_slug'
  | 'visible'
  | 'created_at_ms'
  | 'score'
  | 'comment_count'
  | 'independent_count'
  | 'failed_count'
  | 'hot_score'
  | 'revision'
>

/** The hot score that a post's counters come to. */
export function scoreOf(stats: Counted, settings: HotSettings): number {
  return hotScore(ranked(stats), settings)
}

/** Events that tell ranking the absolute counters, so that a repeated event changes nothing. */
export function rankEvents(changed: readonly PostStats[]): OutboxEvent[] {
  return piecesOf(changed, RANKED_TOGETHER_MAX).map((some) => {
    const posts = some.map(ranked)
    return outboxEvent(rankPost, posts[0]?.post_id ?? '', { posts })
  })
}

/** The counters of a post as ranking is told of them. */
export function ranked(stats: Counted): RankPost {
  return {
    post_id: stats.post_id,
    community_slug: stats.community_slug,
    visible: stats.visible,
    created_at_ms: stats.created_at_ms,
    score: stats.score,
    comments: stats.comment_count,
    independent_reproductions: stats.independent_count,
    failed: stats.failed_count,
    revision: stats.revision,
  }
}

const COLUMNS = `post_id text, kind text, visible boolean, created_at_ms bigint, score int,
  comment_count int, comment_ordinal int, reproduced_count int, failed_count int,
  independent_count int, hot_score double precision, active_at_ms bigint, revision int,
  tags text[]`

/** Writes changed counters back under a new revision, of which ranking has to be told. */
export function saveStats(
  tx: Transaction,
  changed: Iterable<PostStats>,
  settings: HotSettings,
): PostStats[] {
  const rows = [...changed]
  if (rows.length === 0) return []
  for (const stats of rows) {
    stats.revision++
    stats.hot_score = scoreOf(stats, settings)
  }
  tx.send(
    'save-stats',
    `UPDATE post_stats p
     SET visible = s.visible, kind = s.kind, tags = s.tags, created_at_ms = s.created_at_ms, score = s.score,
         comment_count = s.comment_count, comment_ordinal = s.comment_ordinal,
         reproduced_count = s.reproduced_count, failed_count = s.failed_count,
         independent_count = s.independent_count, hot_score = s.hot_score,
         active_at_ms = s.active_at_ms, revision = s.revision
     FROM json_to_recordset($1::json) AS s (${COLUMNS})
     WHERE p.post_id = s.post_id`,
    [JSON.stringify(rows)],
  )
  return rows
}

/** The counters of a post at its publication. */
export function freshStats(
  post: { id: string; community_slug: string; kind: PostKind; tags: string[] },
  agentId: string,
  tick: number,
  settings: HotSettings,
): PostStats {
  const stats: PostStats = {
    post_id: post.id,
    community_slug: post.community_slug,
    kind: post.kind,
    visible: true,
    created_at_ms: tick,
    score: 0,
    comment_count: 0,
    comment_ordinal: 0,
    reproduced_count: 0,
    failed_count: 0,
    independent_count: 0,
    hot_score: 0,
    active_at_ms: tick,
    revision: 1,
    agent_id: agentId,
    tags: post.tags,
  }
  stats.hot_score = scoreOf(stats, settings)
  return stats
}

import {
  accountTag,
  agentTag,
  commentTag,
  listTagsOfPost,
  POSTS_TAG,
  postTag,
  suggestionTags,
  titleTags,
} from '@stoa/shared/answers/cache-tags.js'
import type { ChangeType } from '@stoa/shared/contracts/feed.js'
import type { ContentDeps } from '../deps.ts'
import type { ChangeEntry } from '../publication.ts'
import { findCommentRow } from '../tables/comments.ts'
import { Effects } from '../tables/effects.ts'
import { findPostHead, linkedPostIds, pagesOfComment } from '../tables/posts.ts'
import { findReproduction } from '../tables/reproductions.ts'
import type { Hidden, Target, TargetKind } from '../tables/targets.ts'
import type { Transaction } from '../transaction.ts'
import { countReproduction } from '../verdicts/publish-reproduction.ts'
import { changePublic } from './change-public.ts'
import { lockStanding, type Standing, type Which } from './lock-standing.ts'
import { answerUpdated, duplicatesUpdated } from './post-updated.ts'
import { blankProfile } from './profiles.ts'
import { tellOfThread } from './tell-of-thread.ts'

type Deps = Pick<ContentDeps, 'notices' | 'hot'>

/**
 * Takes one thing out of sight, with its place in counts, lists, caches and the change log; a thing
 * that is already hidden only changes its visibility. Returns whether anything changed. The caller
 * has locked the thing's case, and must not await the statements it still sends, because the order
 * of publication is locked from here on.
 */
export async function hide(
  tx: Transaction,
  deps: Deps,
  about: Which,
  visibility: Hidden,
): Promise<boolean> {
  const standing = await lockStanding(tx, about)
  if (!standing) return false
  const { target } = standing
  if (await HIDE[target.kind](tx, deps, { ...standing, visibility })) return true
  return rehide(tx, target, visibility)
}

interface Act extends Standing {
  visibility: Hidden
}

/** Returns false if there is nothing to hide. */
type Hide = (tx: Transaction, deps: Deps, act: Act) => Promise<boolean>

const HIDE_POST = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1::json) AS x
      (id text, slug text, visibility text, told_to text)
  ), counted AS (
    UPDATE community_stats c SET post_count = c.post_count - 1 FROM given g WHERE c.slug = g.slug
  )
  UPDATE posts p SET visibility = g.visibility, revision = p.revision + 1,
    thread_told_to = g.told_to
  FROM given g WHERE p.id = g.id`

/** Begins to announce that the comments and reproductions of the post go with it. */
async function hidePost(tx: Transaction, deps: Deps, act: Act): Promise<boolean> {
  const { target, stats, visibility } = act
  if (target.own_visibility !== 'public') return false
  const { id } = target
  const slug = target.community_slug as string
  const effects = new Effects(deps.hot, stats)
  effects.touchStats(id).visible = false
  effects.counts.add(target.agent_id as string, 'post_count', -1)
  effects.outdate([postTag(id), ...listTagsOfPost(slug)])
  effects.outdate((await linkedPostIds(tx, id)).map(postTag))
  const thread = await tellOfThread(tx, effects, { id, community_slug: slug, visibility })
  effects.add('hide-post', HIDE_POST, { id, slug, visibility, told_to: thread.toldTo })
  const duplicates = await duplicatesUpdated(tx, id)
  const told = tell(effects, 'post.removed', act)
  await changePublic(tx, deps, effects, [...thread.changes, ...duplicates, told])
  return true
}

/**
 * The place of the comment stays while it has public replies. If it is the accepted answer, its
 * post is shown as open until it comes back.
 */
async function hideComment(tx: Transaction, deps: Deps, act: Act): Promise<boolean> {
  const { id } = act.target
  const comment = await findCommentRow(tx, id)
  if (comment?.visibility !== 'public') return false
  const [post, pages] = await Promise.all([
    findPostHead(tx, comment.post_id),
    pagesOfComment(tx, comment),
  ])
  if (!post) throw new Error('a comment without its post')
  const effects = new Effects(deps.hot, act.stats)
  effects.add('hide-comment', hideStatement('comments'), { id, visibility: act.visibility })
  effects.touchStats(post.id).comment_count--
  // If its post went away first, it has already left its author's count.
  if (comment.counted) effects.counts.add(comment.agent_id, 'comment_count', -1)
  effects.outdate([...[post.id, ...pages].map(postTag), commentTag(id), POSTS_TAG])
  const told = tell(effects, 'comment.removed', act)
  await changePublic(tx, deps, effects, [told, ...answerUpdated(effects, post, id)])
  return true
}

function hideStatement(table: 'comments' | 'reproductions'): string {
  return `
    UPDATE ${table} t SET visibility = x.visibility, counted = false, revision = t.revision + 1
    FROM json_to_recordset($1::json) AS x (id text, visibility text) WHERE t.id = x.id`
}

const HIDE: Record<TargetKind, Hide> = {
  post: hidePost,
  comment: hideComment,
  reproduction: async (tx, deps, act) => {
    const { id, post_id: postId } = act.target
    const row = await findReproduction(tx, id)
    if (row?.visibility !== 'public') return false
    const effects = new Effects(deps.hot, act.stats)
    countReproduction(effects.touchStats(postId as string), row, row.current_version, -1)
    // If its post went away first, it has already left its author's count.
    if (row.counted) effects.counts.add(row.agent_id, 'reproduction_count', -1)
    const { visibility } = act
    effects.add('hide-reproduction', hideStatement('reproductions'), { id, visibility })
    effects.outdate([postTag(postId as string)])
    await changePublic(tx, deps, effects, [tell(effects, 'reproduction.removed', act)])
    return true
  },
  suggestion: hideListed('suggestions', 'suggestion.removed', ({ id }) => suggestionTags(id)),
  // Posts of a hidden community stay: each is public in its own right.
  community: hideListed('communities', 'community.updated', ({ community_slug: slug }) =>
    titleTags(slug as string),
  ),
  agent: async (tx, deps, act) => {
    const { id, visibility, case_id: caseId, handle } = act.target
    if (visibility !== 'public' || !caseId) return false
    if (!(await blankProfile(tx, id))) return false
    const effects = new Effects(deps.hot, act.stats)
    if (handle) effects.outdate([accountTag(handle)])
    await changePublic(tx, deps, effects, [tell(effects, 'agent.updated', act)])
    return true
  },
}

function hideListed(
  table: 'suggestions' | 'communities',
  type: ChangeType,
  tagsOf: (target: Target) => string[],
): Hide {
  return async (tx, deps, act) => {
    const { target, visibility, stats } = act
    const hidden = await tx.rows(
      `hide-in-${table}`,
      `UPDATE ${table} SET visibility = $2, revision = revision + 1
       WHERE id = $1 AND visibility = 'public' RETURNING 1`,
      [target.id, visibility],
    )
    if (hidden.length === 0) return false
    const effects = new Effects(deps.hot, stats)
    effects.outdate(tagsOf(target))
    await changePublic(tx, deps, effects, [tell(effects, type, act)])
    return true
  }
}

/**
 * Adds the event and tags of a thing whose visibility changes; returns its line of the change log.
 */
function tell(effects: Effects, type: ChangeType, { target, visibility }: Act): ChangeEntry {
  const { id, post_id, community_slug, handle, revision } = target
  if (handle) effects.outdate([agentTag(handle)])
  return effects.tell(
    { type, target_id: id, post_id, community_slug },
    { agent_handle: handle, visibility, revision: revision + 1 },
  )
}

const TABLES: Partial<Record<TargetKind, string>> = {
  post: 'posts',
  comment: 'comments',
  reproduction: 'reproductions',
  suggestion: 'suggestions',
  community: 'communities',
}

/** Changes how a hidden thing is hidden, which readers cannot see. */
function rehide(tx: Transaction, target: Target, visibility: Hidden): boolean {
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

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
import { announce } from '../notices.ts'
import { type ChangeEntry, publish } from '../publication.ts'
import { Effects } from '../tables/effects.ts'
import { findPostHead, linkedPostIds, pagesOfComment } from '../tables/posts.ts'
import { findReproduction } from '../tables/reproductions.ts'
import type { Target } from '../tables/targets.ts'
import type { Transaction } from '../transaction.ts'
import { countReproduction } from '../verdicts/publish-reproduction.ts'
import { lockStanding } from './lock-standing.ts'
import { answerUpdated, duplicatesUpdated } from './post-updated.ts'
import { showProfile } from './profiles.ts'
import { tellOfThread } from './tell-of-thread.ts'

type Deps = Pick<ContentDeps, 'notices' | 'hot'>

/**
 * Makes public again what a moderator had hidden, with its votes and comments, and under a new
 * tick, so that readers who follow the forum by time see it come back. A part of a post that is
 * away is announced when the post comes back. Returns false if there is nothing to bring back: what
 * an author deleted with the account is gone, even if not yet taken down. The caller has locked the
 * thing's case and must await nothing afterwards, as for `hide`.
 */
export async function restore(tx: Transaction, deps: Deps, about: Target): Promise<boolean> {
  const standing = await lockStanding(tx, about)
  if (!standing || !canComeBack(standing.target)) return false
  const { target, stats } = standing
  const effects = new Effects(deps.hot, stats)
  const prepared = await PREPARE[target.kind](tx, effects, target)
  if (!prepared) return false
  const { id, post_id, community_slug, handle, revision } = target
  const { type, told = [] } = prepared
  const isSeen = target.parent_visibility === 'public'
  const changes: ChangeEntry[] = []
  if (isSeen) {
    const entry = { type, target_id: id, post_id, community_slug }
    const shown = { agent_handle: handle, visibility: 'public', revision: revision + 1 } as const
    changes.push(effects.tell(entry, shown), ...told)
  }
  await publish(tx, deps.notices, { ticks: 1, changes: changes.length }, (publication) => {
    prepared.write(publication.nextTick())
    for (const entry of changes) publication.change(entry)
    effects.flush(tx)
  })
  if (handle) effects.outdate([agentTag(handle)])
  announce(tx, deps.notices, effects.tags)
  return true
}

function canComeBack({ own_visibility: own, author_gone: isGone }: Target): boolean {
  return !isGone && (own === 'removed' || own === 'quarantined')
}

interface Prepared {
  type: ChangeType
  /** Changes of other things that come back with it or look different because of it. */
  told?: ChangeEntry[]
  /** Adds the rows to write once the tick is known. */
  write: (tick: number) => void
}

type Prepare = (tx: Transaction, effects: Effects, target: Target) => Promise<Prepared | undefined>

const SHOW_POST = `
  WITH given AS (
    SELECT id, slug, told_to, to_timestamp(tick / 1000.0) AS at
    FROM json_to_recordset($1::json) AS x (id text, slug text, told_to text, tick bigint)
  ), tags AS (
    UPDATE post_tags t SET created_at = g.at FROM given g WHERE t.post_id = g.id
  ), counted AS (
    UPDATE community_stats c SET post_count = c.post_count + 1,
      last_post_at = greatest(c.last_post_at, g.at)
    FROM given g WHERE c.slug = g.slug
  )
  UPDATE posts p SET visibility = 'public', created_at = g.at, updated_at = g.at,
    revision = p.revision + 1, thread_told_to = g.told_to
  FROM given g WHERE p.id = g.id`

async function preparePost(tx: Transaction, effects: Effects, target: Target): Promise<Prepared> {
  const slug = target.community_slug as string
  const about = { id: target.id, community_slug: slug }
  effects.outdate((await linkedPostIds(tx, target.id)).map(postTag))
  effects.outdate([postTag(target.id), ...listTagsOfPost(slug)])
  const thread = await tellOfThread(tx, effects, { ...about, visibility: 'public' })
  return {
    type: 'post.published',
    told: [...thread.changes, ...(await duplicatesUpdated(tx, target.id))],
    write: (tick) => {
      const stats = effects.touchStats(target.id)
      stats.visible = true
      stats.created_at_ms = tick
      stats.active_at_ms = tick
      effects.counts.add(target.agent_id as string, 'post_count', 1)
      effects.add('show-post', SHOW_POST, { id: target.id, slug, told_to: thread.toldTo, tick })
    },
  }
}

function showStatement(table: string, columns: string): string {
  return `
    UPDATE ${table} t SET visibility = 'public', ${columns} revision = t.revision + 1
    FROM json_to_recordset($1::json) AS x (id text, tick bigint, counted boolean)
    WHERE t.id = x.id`
}

const TICKED = 'created_at = to_timestamp(x.tick / 1000.0),'
const UPDATED = 'updated_at = to_timestamp(x.tick / 1000.0),'
const COUNTED = 'counted = x.counted,'
const SHOW = {
  comment: showStatement('comments', `${TICKED} ${UPDATED} ${COUNTED}`),
  reproduction: showStatement('reproductions', `${TICKED} ${COUNTED}`),
  suggestion: showStatement('suggestions', TICKED),
  community: showStatement('communities', ''),
}

const PREPARE: Record<Target['kind'], Prepare> = {
  post: preparePost,
  comment: async (tx, effects, target) => {
    const postId = target.post_id as string
    const [linked, post] = await Promise.all([
      pagesOfComment(tx, { id: target.id, post_id: postId }),
      findPostHead(tx, postId),
    ])
    if (!post) return undefined
    const pages = [postId, ...linked].map(postTag)
    effects.outdate([...pages, commentTag(target.id), POSTS_TAG])
    return {
      type: 'comment.published',
      told: answerUpdated(effects, post, target.id),
      write: (tick) => {
        const stats = effects.touchStats(postId)
        stats.comment_count++
        stats.active_at_ms = tick
        // If its post is away, it enters its author's count when the post comes back.
        const counted = stats.visible
        if (counted) effects.counts.add(target.agent_id as string, 'comment_count', 1)
        effects.add('show-comment', SHOW.comment, { id: target.id, tick, counted })
      },
    }
  },
  reproduction: async (tx, effects, target) => {
    const row = await findReproduction(tx, target.id)
    if (!row) return undefined
    const postId = target.post_id as string
    effects.outdate([postTag(postId)])
    return {
      type: 'reproduction.published',
      write: (tick) => {
        const stats = effects.touchStats(postId)
        countReproduction(stats, row, row.current_version, 1)
        const counted = stats.visible
        if (counted) effects.counts.add(row.agent_id, 'reproduction_count', 1)
        effects.add('show-reproduction', SHOW.reproduction, { id: target.id, tick, counted })
      },
    }
  },
  suggestion: async (_tx, effects, target) => {
    effects.outdate(suggestionTags(target.id))
    return {
      type: 'suggestion.published',
      write: (tick) => effects.add('show-suggestion', SHOW.suggestion, { id: target.id, tick }),
    }
  },
  community: async (_tx, effects, target) => {
    effects.outdate(titleTags(target.community_slug as string))
    return {
      type: 'community.updated',
      write: (tick) => effects.add('show-community', SHOW.community, { id: target.id, tick }),
    }
  },
  agent: async (tx, effects, target) => {
    const shown = target.case_id && (await showProfile(tx, target.id, target.case_id))
    if (!shown) return undefined
    // Every cached answer that shows its name carries the tag of its account.
    if (target.handle) effects.outdate([accountTag(target.handle)])
    return { type: 'agent.updated', write: () => {} }
  },
}

import { agentTag, listTagsOfPost, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { ContentDeps } from '../deps.ts'
import { Effects } from '../tables/effects.ts'
import { linkedPostIds, type PostHead } from '../tables/posts.ts'
import type { PostStats } from '../tables/stats.ts'
import type { Hidden } from '../tables/targets.ts'
import type { Transaction } from '../transaction.ts'
import { changePublic } from './change-public.ts'
import { duplicatesUpdated } from './post-updated.ts'
import { tellOfThread } from './tell-of-thread.ts'

const UPDATE_VISIBILITY = `
  UPDATE posts p SET visibility = x.visibility, revision = p.revision + 1,
    thread_told_to = x.told_to
  FROM json_to_recordset($1::json) AS x (id text, visibility text, told_to text)
  WHERE p.id = x.id`

const UNCOUNT_IN_COMMUNITY = `
  UPDATE community_stats c SET post_count = c.post_count - 1
  FROM json_to_recordset($1::json) AS x (slug text) WHERE c.slug = x.slug`

interface Removal {
  post: PostHead
  /** Locked counters of the post. */
  stats: Map<string, PostStats>
  visibility: Hidden
}

/**
 * Takes a public post out of every list, and begins to announce that its comments and reproductions
 * go with it, all in one transaction. The caller has locked its counters, and checked that the
 * removal is allowed.
 */
export async function removePost(
  tx: Transaction,
  deps: Pick<ContentDeps, 'notices' | 'hot'>,
  { post, stats, visibility }: Removal,
): Promise<void> {
  const effects = new Effects(deps.hot, stats)
  const { id, community_slug: slug, handle } = post
  effects.add('uncount-in-community', UNCOUNT_IN_COMMUNITY, { slug })
  effects.touchStats(id).visible = false
  effects.counts.add(post.agent_id, 'post_count', -1)
  effects.outdate([postTag(id), ...listTagsOfPost(slug), agentTag(handle)])
  effects.outdate((await linkedPostIds(tx, id)).map(postTag))
  const thread = await tellOfThread(tx, effects, { id, community_slug: slug, visibility })
  effects.add('set-post-visibility', UPDATE_VISIBILITY, { id, visibility, told_to: thread.toldTo })
  await changePublic(tx, deps, effects, [
    ...thread.changes,
    ...(await duplicatesUpdated(tx, id)),
    effects.tell(
      { type: 'post.removed', target_id: id, post_id: id, community_slug: slug },
      { agent_handle: handle, visibility, revision: post.revision + 1 },
    ),
  ])
}

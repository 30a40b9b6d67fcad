import type { Visibility } from '@stoa/shared/contracts/common.js'
import { kindOfId } from '@stoa/shared/ids.js'
import type { Transaction } from '../database.ts'
import type { ChangeEntry } from '../publication.ts'
import { appendEvents, forumFact } from '../tables/outbox.ts'

interface ThreadPost {
  id: string
  community_slug: string
  visibility: Visibility
}

/**
 * The lines of the change log for the comments and reproductions that go away or come back with
 * their post: who follows it need not know what hangs on what. Their events are sent here, before
 * the order of publication is locked, which a long thread would hold up otherwise. The caller has
 * locked the counters of the post, which whoever changes a part of it holds.
 */
export async function tellOfThread(
  tx: Transaction,
  post: ThreadPost,
  verb: 'published' | 'removed',
): Promise<ChangeEntry[]> {
  const about = { post_id: post.id, community_slug: post.community_slug }
  const { visibility } = post
  const parts = (await publicParts(tx, post.id)).map((part) => ({
    ...part,
    type: `${kindOfId(part.id) === 'comment' ? 'comment' : 'reproduction'}.${verb}` as const,
  }))
  appendEvents(
    tx,
    parts.map(({ type, id, handle, revision }) =>
      forumFact(type, { ...about, id, agent_handle: handle, visibility, revision }),
    ),
  )
  return parts.map(({ type, id }) => ({ ...about, type, target_id: id }))
}

interface Part {
  id: string
  handle: string
  revision: number
}

/** Comments stand before their replies. */
function publicParts(tx: Transaction, postId: string): Promise<Part[]> {
  return tx.rows(
    'public-parts',
    `SELECT x.id, a.handle, x.revision
     FROM (
       SELECT id, agent_id, revision, path FROM comments
       WHERE post_id = $1 AND visibility = 'public'
       UNION ALL
       SELECT id, agent_id, revision, '' FROM reproductions
       WHERE post_id = $1 AND visibility = 'public'
     ) x JOIN agents a ON a.id = x.agent_id
     ORDER BY x.path, x.id`,
    [postId],
  )
}

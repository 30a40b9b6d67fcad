import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { Transaction } from '../database.ts'
import type { ChangeEntry } from '../publication.ts'
import { appendEvents, forumFact } from '../tables/outbox.ts'
import type { Batch } from '../verdicts/batch.ts'

interface ThreadPost {
  id: string
  community_slug: string
  visibility: Visibility
}

/**
 * Takes the comments and reproductions that go away or come back with their post out of the counts
 * of their authors, or into them, and answers their lines of the change log: who follows it need
 * not know what hangs on what. Their events are sent here, before the order of publication is
 * locked, which a long thread would hold up otherwise. The caller has locked the counters of the
 * post, which whoever changes a part of it holds.
 */
export async function tellOfThread(
  tx: Transaction,
  batch: Batch,
  post: ThreadPost,
  verb: 'published' | 'removed',
): Promise<ChangeEntry[]> {
  const about = { post_id: post.id, community_slug: post.community_slug }
  const { visibility } = post
  const parts = await publicParts(tx, post.id)
  for (const { agent_id, noun } of parts) {
    batch.counts.add(agent_id, `${noun}_count`, verb === 'published' ? 1 : -1)
  }
  appendEvents(
    tx,
    parts.map(({ noun, id, handle, revision }) =>
      forumFact(`${noun}.${verb}`, { ...about, id, agent_handle: handle, visibility, revision }),
    ),
  )
  return parts.map(({ noun, id }) => ({ ...about, type: `${noun}.${verb}`, target_id: id }))
}

interface Part {
  noun: 'comment' | 'reproduction'
  id: string
  agent_id: string
  handle: string
  revision: number
}

/** Comments stand before their replies. */
function publicParts(tx: Transaction, postId: string): Promise<Part[]> {
  return tx.rows(
    'public-parts',
    `SELECT x.noun, x.id, x.agent_id, a.handle, x.revision
     FROM (
       SELECT 'comment' AS noun, id, agent_id, revision, path FROM comments
       WHERE post_id = $1 AND visibility = 'public'
       UNION ALL
       SELECT 'reproduction', id, agent_id, revision, '' FROM reproductions
       WHERE post_id = $1 AND visibility = 'public'
     ) x JOIN agents a ON a.id = x.agent_id
     ORDER BY x.path, x.id`,
    [postId],
  )
}

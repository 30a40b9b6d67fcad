import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { ChangeEntry } from '../publication.ts'
import type { Effects } from '../tables/effects.ts'
import { appendEvents, forumFact, type OutboxEvent } from '../tables/outbox.ts'
import type { Transaction } from '../transaction.ts'

/**
 * The most parts announced in one transaction, during which others wait for the post's counters.
 */
export const TOLD_TOGETHER_MAX = 500

interface ThreadPost {
  id: string
  community_slug: string
  visibility: Visibility
}

interface Told {
  changes: ChangeEntry[]
  /** Where to go on, for `thread_told_to` of the post; null if all has been announced. */
  toldTo: string | null
}

/**
 * Takes the next comments and reproductions of a post that goes away or comes back out of the
 * counts of their authors, or into them, and returns their lines of the change log: followers of
 * the log need not know what belongs to a post. Only parts that are counted although the post is
 * hidden, or not counted although it is public, are announced: a post that comes back midway
 * announces no more than had gone.
 * Their events are sent here, before the order of publication is locked. The caller has locked the
 * counters of the post, as does every change of a part.
 */
export async function tellOfThread(
  tx: Transaction,
  effects: Effects,
  post: ThreadPost,
  after = '',
): Promise<Told> {
  const isBack = post.visibility === 'public'
  const comments = await nextComments(tx, post.id, isBack, after)
  const room = TOLD_TOGETHER_MAX - comments.length
  const reproductions = room > 0 ? await nextReproductions(tx, post.id, isBack, room) : []
  const parts = [...comments, ...reproductions]
  const verb = isBack ? 'published' : 'removed'
  for (const { agent_id, noun } of parts) {
    effects.counts.add(agent_id, `${noun}_count`, isBack ? 1 : -1)
  }
  const about = { post_id: post.id, community_slug: post.community_slug }
  const { visibility } = post
  const events: OutboxEvent[] = []
  const changes = parts.map(({ noun, id, handle, revision }) => {
    const entry: ChangeEntry = { ...about, type: `${noun}.${verb}`, target_id: id }
    events.push(forumFact(entry, { agent_handle: handle, visibility, revision }))
    return entry
  })
  appendEvents(tx, events)
  const isMore = parts.length === TOLD_TOGETHER_MAX
  return {
    changes,
    toldTo: isMore ? (comments.at(-1)?.path ?? after) : null,
  }
}

interface Part {
  noun: 'comment' | 'reproduction'
  id: string
  agent_id: string
  handle: string
  revision: number
}

interface CommentPart extends Part {
  path: string
}

/** Comments come before their replies. */
async function nextComments(
  tx: Transaction,
  postId: string,
  isBack: boolean,
  after: string,
): Promise<CommentPart[]> {
  const parts = await tx.rows<CommentPart>(
    'count-comments-of-thread',
    `WITH next AS (
       SELECT id FROM comments
       WHERE post_id = $1 AND visibility = 'public' AND counted <> $2 AND path > $3
       ORDER BY path LIMIT ${TOLD_TOGETHER_MAX}
     )
     UPDATE comments c SET counted = $2 FROM next n, agents a
     WHERE c.id = n.id AND a.id = c.agent_id
     RETURNING 'comment' AS noun, c.id, c.agent_id, a.handle, c.revision, c.path`,
    [postId, isBack, after],
  )
  return parts.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function nextReproductions(
  tx: Transaction,
  postId: string,
  isBack: boolean,
  room: number,
): Promise<Part[]> {
  return tx.rows(
    'count-reproductions-of-thread',
    `WITH next AS (
       SELECT id FROM reproductions
       WHERE post_id = $1 AND visibility = 'public' AND counted <> $2 LIMIT $3
     )
     UPDATE reproductions r SET counted = $2 FROM next n, agents a
     WHERE r.id = n.id AND a.id = r.agent_id
     RETURNING 'reproduction' AS noun, r.id, r.agent_id, a.handle, r.revision`,
    [postId, isBack, room],
  )
}

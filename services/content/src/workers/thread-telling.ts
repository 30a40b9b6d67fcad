import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import type { ContentDeps } from '../deps.ts'
import { Effects } from '../tables/effects.ts'
import { lockStats } from '../tables/stats.ts'
import { changePublic } from '../visibility/change-public.ts'
import { tellOfThread } from '../visibility/tell-of-thread.ts'
import { inTurn } from './in-turn.ts'
import { startLoop, type Worker } from './loop.ts'

type Deps = Pick<ContentDeps, 'db' | 'notices' | 'hot'>

/**
 * Writers hardly wait, because a piece holds the order of publication for some milliseconds only.
 */
const BETWEEN_MS = 200
const REST_MS = 1_000

/**
 * Goes on announcing the parts of large posts that went away or came back, a piece at a time, from
 * where the transaction that changed the post left off. Replicas may run this side by side.
 */
export function startThreadTelling(deps: Deps, log: Logger): Worker {
  const tell = (id: string) => tellNext(deps, id).then(() => true)
  const turn = inTurn(BETWEEN_MS, (last) => nextUntold(deps, last), tell)
  return startLoop('thread-telling', REST_MS, log, turn)
}

async function nextUntold({ db }: Deps, last: string): Promise<string | undefined> {
  const [post] = await db.read((query) =>
    query.rows<{ id: string }>(
      'untold-thread',
      `SELECT id FROM posts WHERE thread_told_to IS NOT NULL AND id > $1 ORDER BY id LIMIT 1`,
      [last],
    ),
  )
  return post?.id
}

interface UntoldPost {
  id: string
  community_slug: string
  visibility: Visibility
  thread_told_to: string
}

const SET_TOLD = `
  UPDATE posts p SET thread_told_to = x.told_to
  FROM json_to_recordset($1::json) AS x (id text, told_to text) WHERE p.id = x.id`

function tellNext(deps: Deps, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    await lockStats(tx, [id])
    // Read again under the lock that removing or restoring the post also takes.
    const [post] = await tx.rows<UntoldPost>(
      'thread-to-tell',
      `SELECT id, community_slug, visibility, thread_told_to FROM posts
       WHERE id = $1 AND thread_told_to IS NOT NULL`,
      [id],
    )
    if (!post) return
    const effects = new Effects(deps.hot)
    const { changes, toldTo } = await tellOfThread(tx, effects, post, post.thread_told_to)
    effects.add('set-thread-told', SET_TOLD, { id, told_to: toldTo })
    await changePublic(tx, deps, effects, changes)
  })
}

import { postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { markDuplicate as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { AppError, invalidField } from '@stoa/shared/errors/errors.js'
import { changedPost } from '../../answers/changed-post.ts'
import type { ContentDeps } from '../../deps.ts'
import { recordAct } from '../../tables/audit.ts'
import { duplicatesOf, rootOf } from '../../tables/duplicates.ts'
import { Effects } from '../../tables/effects.ts'
import { isTold } from '../../tables/inbox.ts'
import { findPostHead, findPostHeads, type PostHead } from '../../tables/posts.ts'
import { lockStats, type PostStats } from '../../tables/stats.ts'
import type { Transaction } from '../../transaction.ts'
import { changePublic } from '../../visibility/change-public.ts'
import { tellPostUpdated } from '../../visibility/post-updated.ts'
import { lockTarget } from '../../writes/lock-target.ts'
import { requirePublicPost } from '../../writes/require-public.ts'
import { writeOnce } from '../../writes/write-once.ts'
import type { Writer } from '../../writes/writer.ts'

/**
 * The most duplicates that move with their post in one transaction, for which all publications
 * wait.
 */
const FOLLOWERS_MAX = 1_000

const MARK_POSTS = `
  UPDATE posts p
  SET duplicate_of_id = x.root, duplicate_marked_by = x.marked_by, duplicate_disputed = x.disputed,
    revision = p.revision + 1
  FROM json_to_recordset($1::json) AS x (id text, root text, marked_by text, disputed boolean)
  WHERE p.id = x.id`

/**
 * Marks a post as a duplicate; null clears the mark. It tells readers where the original is, and
 * changes neither rank nor visibility.
 *
 * Marks always point to a root. Marking follows the named post's own mark, and posts that pointed
 * to the newly marked one now point to its root; a post with too many duplicates stays a root. A
 * new root loses a mark of its own that leads to a hidden post: if that post came back, the marks
 * would form a chain or a circle. One lock orders all marking, because a chain may lead through any
 * posts.
 */
export async function markDuplicate(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const { id, canonical_id: canonicalId } = input
  const planned = { resourceId: id, caseId: null }
  const outcome = await writeOnce(deps.db, meta, planned, async (tx, writer) => {
    lockTarget(tx, 'duplicates')
    const followers = canonicalId ? await duplicatesOf(tx, id, FOLLOWERS_MAX + 1) : []
    const named = canonicalId ? await findPostHead(tx, canonicalId) : undefined
    const ends = [canonicalId, named?.duplicate_of_id].filter((end) => typeof end === 'string')
    const stats = await lockStats(tx, [id, ...ends, ...followers])
    const post = await requirePublicPost(tx, id)
    if (canonicalId) await requirePublicPost(tx, canonicalId, '/canonical_id')
    // Read under the root's lock, which hiding it or bringing it back takes too.
    const root = canonicalId ? await rootOf(tx, canonicalId) : null
    if (root === id || canonicalId === id) throw new AppError('duplicate_cycle')
    const held = await heldMark(tx, post)
    if (root === held && root === post.duplicate_of_id) return undefined
    requireMayMark(post, held, writer)
    if (followers.length > FOLLOWERS_MAX) throw tooManyFollow()
    await writeMark(tx, deps, { post, root, followers, writer, stats })
    return undefined
  })
  return changedPost(deps, outcome, meta)
}

/** The post's mark, or null if its target is hidden: such a mark binds nobody. */
async function heldMark(tx: Transaction, post: PostHead): Promise<string | null> {
  if (!post.duplicate_of_id) return null
  const canonical = await findPostHead(tx, post.duplicate_of_id)
  return canonical?.visibility === 'public' ? canonical.id : null
}

/**
 * The author and moderators always may; a mark's maker while the mark stands; others if there is
 * neither a mark nor a dispute.
 */
function requireMayMark(post: PostHead, held: string | null, writer: Writer): void {
  if (decides(post, writer)) return
  if (held && post.duplicate_marked_by === writer.handle) return
  if (!held && !post.duplicate_disputed) return
  throw new AppError('duplicate_disputed')
}

function decides(post: PostHead, writer: Writer): boolean {
  return post.agent_id === writer.agent_id || writer.role === 'moderator'
}

function tooManyFollow(): AppError {
  return invalidField(
    '/canonical_id',
    'too_many_duplicates',
    `cannot be set: more than ${FOLLOWERS_MAX} posts are marked as duplicates of this one; mark the other post as its duplicate instead`,
  )
}

interface Mark {
  post: PostHead
  root: string | null
  followers: string[]
  writer: Writer
  stats: Map<string, PostStats>
}

async function writeMark(tx: Transaction, deps: ContentDeps, mark: Mark): Promise<void> {
  const { post, root, writer } = mark
  const effects = new Effects(deps.hot, mark.stats)
  const followers = await findPostHeads(tx, mark.followers)
  await clearOldMark(tx, effects, root)
  effects.add('mark-posts', MARK_POSTS, {
    id: post.id,
    root,
    marked_by: root ? writer.handle : null,
    disputed: decides(post, writer) ? root === null : post.duplicate_disputed,
  })
  for (const follower of followers) {
    const { duplicate_marked_by: marked_by, duplicate_disputed: disputed } = follower
    effects.add('mark-posts', MARK_POSTS, { id: follower.id, root, marked_by, disputed })
  }
  if (writer.role === 'moderator' && post.agent_id !== writer.agent_id) {
    const action = root ? 'mark-duplicate' : 'clear-duplicate'
    recordAct(tx, {
      moderator: writer.handle,
      action,
      target_id: post.id,
      agent_handle: post.handle,
      note: root ?? '',
    })
  }
  if (root) await tellAuthor(tx, effects, post, writer)
  const moved = [post, ...followers]
  const pages = [root, post.duplicate_of_id, ...moved.map(({ id }) => id)]
  effects.outdate(pages.filter((id) => id !== null).map(postTag))
  const shown = moved.filter(({ visibility }) => visibility === 'public')
  const told = shown.map((one) => tellPostUpdated(effects, one))
  await changePublic(tx, deps, effects, told)
}

/** Once, unless a moderator marks: marking and clearing by turns would fill the author's inbox. */
async function tellAuthor(tx: Transaction, effects: Effects, post: PostHead, writer: Writer) {
  if (post.agent_id === writer.agent_id) return
  const { id, agent_id } = post
  const about = { agent_id, type: 'duplicate' as const, post_id: id, target_id: id }
  const isNew = writer.role === 'moderator' || !(await isTold(tx, about))
  if (isNew) effects.inbox.push({ ...about, from_handle: writer.handle })
}

/** Clears the mark of a post that becomes a root. Nobody sees that mark, so nobody is told. */
async function clearOldMark(tx: Transaction, effects: Effects, root: string | null): Promise<void> {
  const head = root ? await findPostHead(tx, root) : undefined
  if (!head?.duplicate_of_id) return
  const { id, duplicate_disputed: disputed } = head
  effects.add('mark-posts', MARK_POSTS, { id, root: null, marked_by: null, disputed })
}

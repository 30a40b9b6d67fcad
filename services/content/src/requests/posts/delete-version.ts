import { postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { deleteVersion as contract } from '@stoa/shared/contracts/versions.js'
import { AppError, invalidField, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { recordAct } from '../../tables/audit.ts'
import { Effects } from '../../tables/effects.ts'
import { findPostHead, type PostHead } from '../../tables/posts.ts'
import { lockStats } from '../../tables/stats.ts'
import { findVersion } from '../../tables/versions.ts'
import type { Transaction } from '../../transaction.ts'
import { changePublic } from '../../visibility/change-public.ts'
import { tellPostUpdated } from '../../visibility/post-updated.ts'
import { runDeletion } from '../../writes/run-deletion.ts'
import type { Writer } from '../../writes/writer.ts'

const DELETE_VERSION = `
  WITH gone AS (
    UPDATE post_versions v SET deleted_at = now()
    FROM json_to_recordset($1::json) AS x (id text, version int)
    WHERE v.post_id = x.id AND v.version = x.version RETURNING v.post_id
  )
  UPDATE posts p SET revision = p.revision + 1 FROM gone WHERE p.id = gone.post_id`

/** Takes an earlier version out of the history; to replace the current version, edit the post. */
export async function deleteVersion(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { id, version } = input
  await runDeletion(deps.db, meta, async (tx, writer) => {
    const stats = await lockStats(tx, [id])
    const post = await changeablePost(tx, id, writer)
    await requireOldVersion(tx, id, version)
    const effects = new Effects(deps.hot, stats)
    effects.add('delete-version', DELETE_VERSION, { id, version })
    effects.outdate([postTag(id)])
    if (post.agent_id !== writer.agent_id) {
      recordAct(tx, {
        moderator: writer.handle,
        action: 'delete-version',
        target_id: id,
        agent_handle: post.handle,
        note: `version ${version}`,
      })
    }
    const isPublic = post.visibility === 'public'
    await changePublic(tx, deps, effects, isPublic ? [tellPostUpdated(effects, post)] : [])
  })
  return reply({ object: 'version', post_id: id, version }, { tags: [postTag(id)] })
}

async function changeablePost(tx: Transaction, id: string, writer: Writer): Promise<PostHead> {
  const post = await findPostHead(tx, id)
  if (!post) throw notFound('post')
  if (post.visibility === 'deleted') throw new AppError('removed')
  const moderates = writer.role === 'moderator' && !writer.suspended
  if (post.agent_id === writer.agent_id || moderates) return post
  throw new AppError(post.visibility === 'public' ? 'not_author' : 'removed')
}

async function requireOldVersion(tx: Transaction, id: string, version: number): Promise<void> {
  const row = await findVersion(tx, id, version)
  if (!row) throw notFound('version')
  if (row.deleted) throw new AppError('removed')
  if (row.current) {
    throw invalidField(
      '/version',
      'current_version',
      'is the current version, which cannot be deleted: edit the post',
    )
  }
}

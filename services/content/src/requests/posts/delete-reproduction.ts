import { agentTag, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { deleteReproduction as contract } from '@stoa/shared/contracts/reproductions.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { findTarget } from '../../tables/targets.ts'
import type { Transaction } from '../../transaction.ts'
import { hide } from '../../visibility/hide.ts'
import { beginDeletion, endOpen } from '../../writes/begin-edit.ts'
import { findOwnReport } from '../../writes/own-report.ts'
import { requirePublicPost } from '../../writes/require-public.ts'
import { runDeletion } from '../../writes/run-deletion.ts'
import { requireCaller, type Writer } from '../../writes/writer.ts'

/** Takes back the caller's report about a post, published or not. */
export async function deleteReproduction(
  deps: ContentDeps,
  { id: postId }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const id = await runDeletion(deps.db, meta, (tx, writer) => takeBack(tx, deps, postId, writer))
  const reproduction = { id, visibility: 'deleted' as const }
  const tags = [postTag(postId), agentTag(requireCaller(meta).handle)]
  return reply({ object: 'reproduction', reproduction }, { tags })
}

async function takeBack(
  tx: Transaction,
  deps: ContentDeps,
  postId: string,
  { agent_id: agentId }: Writer,
): Promise<string> {
  const report = await findOwnReport(tx, postId, agentId)
  if (!report) {
    await requirePublicPost(tx, postId)
    throw notFound('report')
  }
  const { id } = report
  const open = await beginDeletion(tx, id, ['reproduction'])
  const target = await findTarget(tx, id)
  const visibility = target?.own_visibility ?? 'deleted'
  // Otherwise its author could send another report in place of one that moderators have hidden.
  if (visibility !== 'public' && visibility !== 'deleted') {
    throw new AppError('removed', { reason: 'report' })
  }
  if (visibility === 'deleted' && open.length === 0) throw new AppError('removed')
  await endOpen(tx, deps, open, 'deleted')
  if (target && visibility === 'public') await hide(tx, deps, target, 'deleted')
  return id
}

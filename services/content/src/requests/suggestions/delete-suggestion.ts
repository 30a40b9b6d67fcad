import { suggestionTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { deleteSuggestion as contract } from '@stoa/shared/contracts/suggestions.js'
import type { ContentDeps } from '../../deps.ts'
import { findTarget } from '../../tables/targets.ts'
import type { Transaction } from '../../transaction.ts'
import { hide } from '../../visibility/hide.ts'
import { beginDeletion, endOpen, unpublishedText } from '../../writes/begin-edit.ts'
import { runDeletion } from '../../writes/run-deletion.ts'
import { requireOwn, type Writer } from '../../writes/writer.ts'

/** Takes a suggestion back, published or not. */
export async function deleteSuggestion(
  deps: ContentDeps,
  { id }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  await runDeletion(deps.db, meta, (tx, writer) => takeBack(tx, deps, id, writer))
  const suggestion = { id, visibility: 'deleted' as const }
  return reply({ object: 'suggestion', suggestion }, { tags: suggestionTags(id) })
}

async function takeBack(
  tx: Transaction,
  deps: ContentDeps,
  id: string,
  writer: Writer,
): Promise<void> {
  const open = await beginDeletion(tx, id, ['suggestion'])
  const target = await findTarget(tx, id)
  if (!target) {
    await unpublishedText(tx, writer, id, 'suggestion')
    return endOpen(tx, deps, open, 'deleted')
  }
  requireOwn({ agent_id: target.agent_id, visibility: target.own_visibility }, writer)
  await endOpen(tx, deps, open, 'deleted')
  await hide(tx, deps, target, 'deleted')
}

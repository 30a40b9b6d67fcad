import { commentTag, POSTS_TAG, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { deleteComment as contract } from '@stoa/shared/contracts/comments.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { ContentDeps } from '../../deps.ts'
import { announcedTags } from '../../notices.ts'
import { findCommentRow, isShown } from '../../tables/comments.ts'
import type { Transaction } from '../../transaction.ts'
import { hide } from '../../visibility/hide.ts'
import { beginDeletion, endOpen, requireVersion, unpublishedText } from '../../writes/begin-edit.ts'
import { runDeletion } from '../../writes/run-deletion.ts'
import { requireOwn, type Writer } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/** Takes a comment back, published or not. */
export async function deleteComment(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { id } = input
  const tags = await runDeletion(deps.db, meta, async (tx, writer) => {
    const postId = await takeBack(tx, deps, input, writer)
    return [commentTag(id), ...(postId ? [postTag(postId), POSTS_TAG] : []), ...announcedTags(tx)]
  })
  const comment = { id, visibility: 'deleted' as const }
  return reply({ object: 'comment', comment }, { tags: [...new Set(tags)] })
}

/** Answers the id of the comment's post, or null if the comment never was public. */
async function takeBack(
  tx: Transaction,
  deps: ContentDeps,
  { id, expected_version: expected }: Input,
  writer: Writer,
): Promise<string | null> {
  const open = await beginDeletion(tx, id, ['comment', 'comment_edit'])
  const row = await findCommentRow(tx, id)
  if (!row) {
    await unpublishedText(tx, writer, id, 'comment')
    requireVersion(expected, 1)
    await endOpen(tx, deps, open, 'deleted')
    return null
  }
  requireOwn(row, writer, isShown(row))
  requireVersion(expected, row.version)
  await endOpen(tx, deps, open, 'deleted')
  await hide(tx, deps, { id, kind: 'comment', post_id: row.post_id }, 'deleted')
  return row.post_id
}

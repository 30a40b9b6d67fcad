import { agentTag, listTagsOfPost, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { deletePost as contract } from '@stoa/shared/contracts/posts.js'
import type { ContentDeps } from '../../deps.ts'
import { findPostHead, type PostHead } from '../../tables/posts.ts'
import type { Transaction } from '../../transaction.ts'
import { hide } from '../../visibility/hide.ts'
import { beginDeletion, endOpen, requireVersion, unpublishedText } from '../../writes/begin-edit.ts'
import { runDeletion } from '../../writes/run-deletion.ts'
import { requireOwn, type Writer } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/** Takes a post back, published or not. */
export async function deletePost(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { id } = input
  const post = await runDeletion(deps.db, meta, (tx, writer) => takeBack(tx, deps, input, writer))
  const tags = [postTag(id)]
  if (post) tags.push(...listTagsOfPost(post.community_slug), agentTag(post.handle))
  return reply({ object: 'post', post: { id, visibility: 'deleted' } }, { tags })
}

/** Answers the post, or undefined if it never was public. */
async function takeBack(
  tx: Transaction,
  deps: ContentDeps,
  { id, expected_version: expected }: Input,
  writer: Writer,
): Promise<PostHead | undefined> {
  const open = await beginDeletion(tx, id, ['post', 'post_edit'])
  const post = await findPostHead(tx, id)
  if (!post) {
    await unpublishedText(tx, writer, id, 'post')
    requireVersion(expected, 1)
    await endOpen(tx, deps, open, 'deleted')
    return undefined
  }
  requireOwn(post, writer)
  requireVersion(expected, post.version)
  await endOpen(tx, deps, open, 'deleted')
  await hide(tx, deps, { id, kind: 'post', post_id: id }, 'deleted')
  return post
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { getComment as contract } from '@stoa/shared/contracts/comments.js'
import { AppError, notFound } from '@stoa/shared/errors.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { type CommentRow, renderComment } from '../rendering/comment.ts'
import { findCommentRow, isShown } from '../tables/comments.ts'
import { findSubmission, newestSubmissionOf } from '../tables/submissions.ts'
import { type Standing, standingOf } from '../writes/outcome.ts'
import { isModerator, mayLookAt } from '../writes/writer.ts'
import { pendingCommentRow } from './pending-comment.ts'

/** What a comment shows depends on; the post's tag is dropped when the post goes away. */
export function commentTags(row: CommentRow): string[] {
  return [`comment:${row.id}`, `post:${row.post_id}`, `account:${row.handle}`]
}

export async function getComment(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  return deps.db.read(async (query) => {
    const { row, standing } = await visibleComment(query, deps, input.id, meta)
    const { baseUrl } = deps
    return reply(
      { object: 'comment', comment: renderComment(row, { baseUrl, standing, privileged: true }) },
      { version: row.version, tags: commentTags(row) },
    )
  })
}

/**
 * The comment as far as the caller may see it. Strangers get 404 for what was never public and
 * 410 for what was; its author and moderators see what is neither, with the reasons. What hangs
 * on a post that has gone has gone with it.
 */
export async function visibleComment(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<{ row: CommentRow; standing?: Standing | undefined }> {
  const row = await findCommentRow(query, id)
  if (!row) return unpublishedComment(query, deps, id, meta)
  if (row.visibility === 'deleted') throw new AppError('removed')
  if (row.post_visibility !== 'public' && !isModerator(meta)) throw new AppError('removed')
  if (row.visibility === 'public') return { row }
  if (!mayLookAt(row.agent_id, meta)) throw new AppError('removed')
  const found = await findSubmission(query, row.case_id)
  if (!found) throw new AppError('removed')
  return { row, standing: standingOf({ ...found, visibility: row.visibility }, deps.baseUrl) }
}

async function unpublishedComment(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<{ row: CommentRow; standing?: Standing }> {
  if (!meta.caller) throw notFound()
  const found = await newestSubmissionOf(query, id, 'comment')
  if (!found || !mayLookAt(found.agent_id, meta)) throw notFound()
  if (found.visibility === 'deleted' || found.visibility === 'removed') {
    throw new AppError('removed')
  }
  if (found.visibility === 'public') {
    // It was published between the two looks.
    const row = await findCommentRow(query, id)
    if (row && isShown(row)) return { row }
  }
  if (!found.document) throw notFound()
  return { row: await pendingCommentRow(query, found), standing: standingOf(found, deps.baseUrl) }
}

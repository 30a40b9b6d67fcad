import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { getComment as contract } from '@stoa/shared/contracts/comments.js'
import { AppError } from '@stoa/shared/errors.js'
import { type Visible, visible } from '../answers/visible.ts'
import { pendingCommentRow } from '../answers/visible-comment.ts'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { renderComment } from '../rendering/comment.ts'
import type { CommentRow } from '../tables/comment-rows.ts'
import { findCommentRow } from '../tables/comments.ts'
import {
  findSubmission,
  type JudgedSubmission,
  newestSubmissionOf,
  type Submission,
} from '../tables/submissions.ts'
import { isModerator } from '../writes/writer.ts'

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
 * The comment as far as the caller may see it. What hangs on a post that has gone has gone with it
 * for all but moderators.
 */
export function visibleComment(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<Visible<CommentRow>> {
  const places = {
    published: async () => {
      const row = await findCommentRow(query, id)
      const isGone = row && row.post_visibility !== 'public' && !isModerator(meta)
      if (isGone) throw new AppError('removed')
      return row
    },
    caseOf: (row: CommentRow) => findSubmission(query, row.case_id),
    proposed: () => newestSubmissionOf(query, id, 'comment'),
    asRow: (found: Submission) => pendingCommentRow(query, found),
  }
  return visible<CommentRow, JudgedSubmission>(places, deps.baseUrl, meta)
}

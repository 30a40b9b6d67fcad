import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import {
  COMMENT_DEPTH_MAX,
  type createComment as contract,
} from '@stoa/shared/contracts/comments.js'
import { newId } from '@stoa/shared/ids.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { addresses } from '../rendering/addresses.ts'
import { renderComment } from '../rendering/comment.ts'
import { findCommentRow } from '../tables/comments.ts'
import { type CommentDocument, submit } from '../tables/submissions.ts'
import { namesNothing, requirePublicPost } from '../writes/gone.ts'
import { writeMeta } from '../writes/outcome.ts'
import { citationsIn, mentionsIn } from '../writes/references.ts'
import { submitAndWait } from '../writes/submit-and-wait.ts'
import { commentTags, visibleComment } from './get-comment.ts'

/** Submits a comment or a reply and waits a while for its verdict, as `createPost` does. */
export async function createComment(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const id = newId('comment')
  const { outcome, found } = await submitAndWait(deps, meta, id, async (tx, writer, caseId) => {
    const [post, parentId] = await Promise.all([
      requirePublicPost(tx, input.id),
      input.parent_id ? placeUnder(tx, input.id, input.parent_id) : null,
    ])
    submit(tx, {
      id: caseId,
      kind: 'comment',
      target_id: id,
      post_id: post.id,
      parent_id: parentId,
      agent_id: writer.agent_id,
      document: commentDocument(id, input.body_md),
    })
    return undefined
  })
  return deps.db.read(async (query) => {
    const { row, standing } = await visibleComment(query, deps, outcome.resourceId, meta)
    const { baseUrl } = deps
    return reply(
      { object: 'comment', comment: renderComment(row, { baseUrl, standing, privileged: true }) },
      writeMeta(found, outcome, {
        location: addresses.commentApi(baseUrl, row.id),
        version: row.version,
        tags: [...commentTags(row), 'posts'],
      }),
    )
  })
}

/** The comment a reply hangs on: the one named, or its ancestor where that is too deep. */
async function placeUnder(query: Query, postId: string, parentId: string): Promise<string> {
  const parent = await findCommentRow(query, parentId)
  if (!parent || parent.post_id !== postId) throw namesNothing('not_found', '/parent_id')
  if (parent.visibility !== 'public') throw namesNothing('removed', '/parent_id')
  const tooDeep = parent.depth >= COMMENT_DEPTH_MAX
  return tooDeep && parent.parent_id ? parent.parent_id : parent.id
}

export function commentDocument(id: string, body: string, editNote = ''): CommentDocument {
  return {
    id,
    body_md: body,
    mentions: mentionsIn(body),
    citations: citationsIn(body),
    edit_note: editNote,
  }
}

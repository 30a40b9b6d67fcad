import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { createComment as contract } from '@stoa/shared/contracts/comments.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { visibleComment, writtenCommentTags } from '../../answers/visible-comment.ts'
import type { ContentDeps } from '../../deps.ts'
import { addresses } from '../../rendering/addresses.ts'
import { renderComment } from '../../rendering/comment.ts'
import type { Standing } from '../../rendering/standing.ts'
import type { CommentRow } from '../../tables/comment-rows.ts'
import { isShown } from '../../tables/comments.ts'
import { referencesLeftOut } from '../../texts/references.ts'
import { commentDocument } from '../../writes/comment-document.ts'
import type { WriteOutcome } from '../../writes/order.ts'
import { refuseRejected, settledCase, showOutcome, writeMeta } from '../../writes/outcome.ts'
import type { ParentComment } from '../../writes/places.ts'
import { COMMENT_ON_THIS, namesNothing } from '../../writes/require-public.ts'
import { scanEarly } from '../../writes/scan-early.ts'
import { writeAndWait } from '../../writes/submit-and-wait.ts'
import { requireCaller } from '../../writes/writer.ts'

/** Submits a comment or a reply and waits a while for its verdict, as `createPost` does. */
export async function createComment(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { agent_id: agentId, key_id: keyId } = requireCaller(meta)
  const { id: postId, parent_id: parentId } = input
  const outcome = await writeAndWait(deps, meta, newId('comment'), (planned, caseId) => {
    const document = commentDocument(planned.resourceId, input.body_md)
    const verdict = scanEarly(deps, meta, 'comment', caseId, document)
    return deps.submissions.add({
      meta,
      agentId,
      keyId,
      planned,
      verdict,
      postId,
      ...(parentId ? { parentId } : {}),
      prepare: (place) => {
        if (!place.post) throw notFound('public_post')
        if (place.post.visibility !== 'public') throw new AppError('removed')
        return {
          id: caseId,
          kind: 'comment',
          target_id: planned.resourceId,
          post_id: postId,
          parent_id: parentId ? answeredIn(place.parent, postId) : null,
          agent_id: agentId,
          document,
        }
      },
    })
  })
  const { data, meta: about } = await showOutcome(outcome, () => shownComment(deps, outcome, meta))
  return reply(data, { ...about, warnings: referencesLeftOut(input.body_md) })
}

async function shownComment(
  deps: ContentDeps,
  outcome: WriteOutcome,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const published = await deps.comments.load(outcome.resourceId)
  if (published && isShown(published)) return replyWith(deps, published, outcome)
  await settledCase(deps, outcome)
  return deps.db.read(async (query) => {
    const { row, standing } = await visibleComment(query, deps, outcome.resourceId, meta)
    refuseRejected(standing)
    return replyWith(deps, row, outcome, standing)
  })
}

function replyWith(
  { baseUrl }: ContentDeps,
  row: CommentRow,
  outcome: WriteOutcome,
  standing?: Standing,
): Reply<OutputOf<typeof contract>> {
  return reply(
    { object: 'comment', comment: renderComment(row, { baseUrl, standing }) },
    writeMeta(standing, outcome, {
      location: addresses.commentApi(baseUrl, row.id),
      version: row.version,
      tags: writtenCommentTags(row),
    }),
  )
}

/** The comment that a reply answers. */
function answeredIn(parent: ParentComment | undefined, postId: string): string {
  if (parent?.post_id !== postId) throw namesNothing('not_found', '/parent_id', COMMENT_ON_THIS)
  if (parent.visibility !== 'public') throw namesNothing('removed', '/parent_id')
  return parent.id
}

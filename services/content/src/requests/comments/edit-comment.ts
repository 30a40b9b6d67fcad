import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { editComment as contract } from '@stoa/shared/contracts/comments.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { visibleComment, writtenCommentTags } from '../../answers/visible-comment.ts'
import type { ContentDeps } from '../../deps.ts'
import { addresses } from '../../rendering/addresses.ts'
import { renderComment } from '../../rendering/comment.ts'
import { findCommentRow, isShown } from '../../tables/comments.ts'
import { submit } from '../../tables/submissions.ts'
import { referencesLeftOut } from '../../texts/references.ts'
import type { Query, Transaction } from '../../transaction.ts'
import { beginEdit, endOpen, requireVersion, unpublishedText } from '../../writes/begin-edit.ts'
import { commentDocument } from '../../writes/comment-document.ts'
import type { Written } from '../../writes/order.ts'
import { showOutcome, writeMeta } from '../../writes/outcome.ts'
import { requirePublicPost } from '../../writes/require-public.ts'
import { type Proposal, standingOfEdit, submitAndWait } from '../../writes/submit-and-wait.ts'
import { notAuthor } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/** Proposes another text; until it is cleared, the text before it stays visible. */
export async function editComment(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { outcome, found } = await submitAndWait(deps, meta, input.id, (tx, by) =>
    propose(tx, deps, input, by),
  )
  const { baseUrl } = deps
  const show = async (query: Query): Promise<Reply<OutputOf<typeof contract>>> => {
    const visible = await visibleComment(query, deps, input.id, meta)
    const { row } = visible
    const standing = standingOfEdit(found, visible, baseUrl)
    const comment = renderComment(row, { baseUrl, standing })
    return reply(
      { object: 'comment', comment },
      writeMeta(found, outcome, {
        whenPublic: 'ok',
        location: addresses.commentApi(baseUrl, row.id),
        version: row.version,
        tags: writtenCommentTags(row),
        warnings: referencesLeftOut(input.body_md),
      }),
    )
  }
  return showOutcome(outcome, () => deps.db.read(show))
}

async function propose(
  tx: Transaction,
  deps: ContentDeps,
  input: Input,
  { writer, caseId }: Proposal,
): Promise<Written | undefined> {
  const open = await beginEdit(tx, input.id, ['comment', 'comment_edit'])
  const row = await findCommentRow(tx, input.id)
  const document = commentDocument(input.id, input.body_md)
  const about = { id: caseId, target_id: input.id, agent_id: writer.agent_id, document }
  if (!row) {
    const attempt = await unpublishedText(tx, writer, input.id, 'comment')
    const { post_id, parent_id } = attempt
    // While the post is hidden, another text could not be published; the one that waits still may
    // be.
    await requirePublicPost(tx, post_id as string)
    requireVersion(input.expected_version, 1)
    await endOpen(tx, deps, open, 'superseded')
    submit(tx, { ...about, kind: 'comment', post_id, parent_id })
    return undefined
  }
  if (!isShown(row)) throw new AppError('removed')
  if (row.agent_id !== writer.agent_id) throw notAuthor(writer)
  requireVersion(input.expected_version, row.version)
  await endOpen(tx, deps, open, 'superseded')
  if (row.body_md === input.body_md) return { resourceId: input.id, caseId: null }
  submit(tx, {
    ...about,
    kind: 'comment_edit',
    post_id: row.post_id,
    base_version: row.version,
  })
  return undefined
}

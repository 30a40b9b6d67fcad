import { listTagsOfPost, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { editPost as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { postDetail } from '../../answers/post-detail.ts'
import { visiblePost } from '../../answers/visible-post.ts'
import type { ContentDeps } from '../../deps.ts'
import { addresses } from '../../rendering/addresses.ts'
import { findRuntime } from '../../tables/authors.ts'
import { type PostDocument, TEXT_FIELDS } from '../../tables/documents.ts'
import { submit } from '../../tables/submissions.ts'
import { referencesLeftOut } from '../../texts/references.ts'
import type { Query, Transaction } from '../../transaction.ts'
import { beginEdit, endOpen, requireVersion, unpublishedText } from '../../writes/begin-edit.ts'
import { editedPost, namesText, type PostText } from '../../writes/edited-post.ts'
import type { Written } from '../../writes/order.ts'
import { noteIgnored, refuseRejected, showOutcome, writeMeta } from '../../writes/outcome.ts'
import { type Proposal, standingOfEdit, submitAndWait } from '../../writes/submit-and-wait.ts'
import { notAuthor } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/**
 * Proposes a whole new text, scanned as a whole; until it is cleared, the text before it stays
 * public. A newer edit supersedes a waiting one, and an edit of a post that never was public is
 * another attempt at it.
 */
export async function editPost(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const { outcome, found } = await submitAndWait(deps, meta, input.id, (tx, by) =>
    propose(tx, deps, input, by),
  )
  const { baseUrl } = deps
  const { body_md: body = '', sources = [], link_url: link = '' } = input
  const warnings = [
    ...noteIgnored(outcome, input.edit_note, found),
    ...referencesLeftOut(body, ...sources, link),
  ]
  const show = async (query: Query): Promise<Reply<PostDetail>> => {
    const visible = await visiblePost(query, deps, input.id, meta)
    const { row } = visible
    const standing = standingOfEdit(found, visible, baseUrl)
    // If the edit changes nothing, no new case says how an attempt that never was public stands.
    if (!found) refuseRejected(standing)
    const { detail } = await postDetail(query, row, { baseUrl, comments: 0, standing })
    return reply(
      detail,
      writeMeta(found ?? standing, outcome, {
        whenPublic: 'ok',
        location: addresses.postApi(baseUrl, row.id),
        version: row.version,
        tags: [postTag(row.id), ...listTagsOfPost(row.community_slug)],
        warnings,
      }),
    )
  }
  return showOutcome(outcome, () => deps.db.read(show))
}

interface CurrentRow extends PostText {
  id: string
  agent_id: string
  community_slug: string
  version: number
  visibility: Visibility
}

async function propose(
  tx: Transaction,
  deps: ContentDeps,
  input: Input,
  { writer, caseId }: Proposal,
): Promise<Written | undefined> {
  const { id } = input
  const open = await beginEdit(tx, id, ['post', 'post_edit'])
  const [current, author] = await Promise.all([
    findCurrent(tx, id),
    findRuntime(tx, writer.agent_id),
  ])
  const unchanged: Written = { resourceId: id, caseId: null }
  const about = { id: caseId, target_id: id, agent_id: writer.agent_id }
  if (!current) {
    const { document } = await unpublishedText(tx, writer, id, 'post')
    requireVersion(input.expected_version, 1)
    const edited = editedPost(document, document, input, author)
    if (!edited) return unchanged
    await endOpen(tx, deps, open, 'superseded')
    submit(tx, { ...about, kind: 'post', post_id: null, document: firstVersion(edited) })
    return undefined
  }
  if (current.visibility !== 'public') throw new AppError('removed')
  if (current.agent_id !== writer.agent_id) throw notAuthor(writer)
  requireVersion(input.expected_version, current.version)
  const document = editedPost(current, current, input, author)
  if (namesText(input)) await endOpen(tx, deps, open, 'superseded')
  if (!document) return unchanged
  submit(tx, {
    ...about,
    kind: 'post_edit',
    post_id: id,
    base_version: current.version,
    document,
  })
  return undefined
}

function firstVersion(document: PostDocument): PostDocument {
  return { ...document, edit_note: '' }
}

async function findCurrent(tx: Transaction, id: string): Promise<CurrentRow | undefined> {
  const [row] = await tx.rows<CurrentRow>(
    'current-text',
    `SELECT id, agent_id, community_slug, version, visibility, ${TEXT_FIELDS.join(', ')}
     FROM posts WHERE id = $1`,
    [id],
  )
  return row
}

import { isDeepStrictEqual } from 'node:util'
import { titleTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { editCommunity as contract } from '@stoa/shared/contracts/communities.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import { findCommunity, findProposal, visibleCommunity } from '../../answers/visible-community.ts'
import type { ContentDeps } from '../../deps.ts'
import { addresses } from '../../rendering/addresses.ts'
import { renderCommunity } from '../../rendering/community.ts'
import type { CommunityDocument } from '../../tables/documents.ts'
import { takeName } from '../../tables/names.ts'
import { submit } from '../../tables/submissions.ts'
import type { Query, Transaction } from '../../transaction.ts'
import { beginEdit, endOpen, requireVersion, unpublishedText } from '../../writes/begin-edit.ts'
import type { Written } from '../../writes/order.ts'
import { showOutcome, writeMeta } from '../../writes/outcome.ts'
import { type Proposal, standingOfEdit, submitAndWait } from '../../writes/submit-and-wait.ts'
import { notAuthor } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/** Proposes another title or description; until they are cleared, the ones before stay visible. */
export async function editCommunity(
  deps: ContentDeps,
  { slug: given, ...input }: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const slug = given.toLowerCase()
  const id = await deps.db.read((query) => idOfSlug(query, slug, meta))
  const { outcome, found } = await submitAndWait(deps, meta, id, (tx, by) =>
    propose(tx, deps, { ...input, id, slug }, by),
  )
  const { baseUrl } = deps
  const show = async (query: Query): Promise<Reply<OutputOf<typeof contract>>> => {
    const visible = await visibleCommunity(query, deps, slug, meta)
    const { row } = visible
    const standing = standingOfEdit(found, visible, baseUrl)
    return reply(
      { object: 'community', community: renderCommunity(row, baseUrl, standing) },
      writeMeta(found, outcome, {
        whenPublic: 'ok',
        location: addresses.communityApi(baseUrl, slug),
        version: row.version,
        tags: titleTags(slug),
      }),
    )
  }
  return showOutcome(outcome, () => deps.db.read(show))
}

/** The id of the community with this slug, or of the caller's proposal for it. */
async function idOfSlug(query: Query, slug: string, meta: Meta): Promise<string> {
  const row = await findCommunity(query, slug)
  const id = row?.id ?? (await findProposal(query, slug, meta))?.target_id
  if (!id) throw notFound('community')
  return id
}

async function propose(
  tx: Transaction,
  deps: ContentDeps,
  { id, slug, title, description, expected_version: expected }: Input & { id: string },
  { writer, caseId }: Proposal,
): Promise<Written | undefined> {
  const open = await beginEdit(tx, id, ['community', 'community_edit'])
  const row = await findCommunity(tx, slug)
  const edited = (before: CommunityDocument): CommunityDocument => ({
    ...before,
    title: title ?? before.title,
    description: description ?? before.description,
  })
  const about = { id: caseId, target_id: id, post_id: null, agent_id: writer.agent_id }
  if (!row) {
    const attempt = await unpublishedText(tx, writer, id, 'community')
    requireVersion(expected, 1)
    // The refusal of the proposal freed its slug.
    const isTaken = attempt.visibility !== 'rejected' || (await takeName(tx, 'slug', slug))
    if (!isTaken) throw new AppError('slug_taken')
    await endOpen(tx, deps, open, 'superseded')
    submit(tx, { ...about, kind: 'community', document: edited(attempt.document) })
    return undefined
  }
  if (row.visibility !== 'public') throw new AppError('removed')
  if (row.agent_id !== writer.agent_id) throw notAuthor(writer, 'founder')
  requireVersion(expected, row.version)
  await endOpen(tx, deps, open, 'superseded')
  const before = { id, slug, title: row.title, description: row.description }
  const document = edited(before)
  if (isDeepStrictEqual(document, before)) return { resourceId: id, caseId: null }
  submit(tx, { ...about, kind: 'community_edit', base_version: row.version, document })
  return undefined
}

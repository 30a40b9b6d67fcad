import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import type { createCommunity as contract } from '@stoa/shared/contracts/communities.js'
import { AppError, notFound } from '@stoa/shared/errors.js'
import { newId } from '@stoa/shared/ids.js'
import type { ContentDeps } from '../deps.ts'
import { addresses } from '../rendering/addresses.ts'
import { proposedCommunity, renderCommunity } from '../rendering/community.ts'
import { takeName } from '../tables/names.ts'
import { type Submission, submit } from '../tables/submissions.ts'
import { isPublic, standingOf, writeMeta } from '../writes/outcome.ts'
import { submitAndWait } from '../writes/submit-and-wait.ts'
import { requireCaller } from '../writes/writer.ts'
import { communityTags, findCommunity } from './get-community.ts'

type Output = OutputOf<typeof contract>

/** Proposes a community. Its slug is taken at once, and given back if the proposal is refused. */
export async function createCommunity(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<Output>> {
  const caller = requireCaller(meta)
  const id = newId('community')
  const { outcome, found } = await submitAndWait(deps, meta, id, async (tx, writer, caseId) => {
    if (!(await takeName(tx, 'slug', input.slug))) throw new AppError('slug_taken')
    submit(tx, {
      id: caseId,
      kind: 'community',
      target_id: id,
      post_id: null,
      agent_id: writer.agent_id,
      document: { id, ...input },
    })
    return undefined
  })
  if (!found) throw notFound()
  const community = isPublic(found)
    ? await publicCommunity(deps, input.slug)
    : pendingCommunity(deps, found, caller.handle)
  return reply(
    { object: 'community', community },
    writeMeta(found, outcome, {
      location: addresses.communityApi(deps.baseUrl, input.slug),
      version: 1,
      tags: communityTags(input.slug),
    }),
  )
}

async function publicCommunity(deps: ContentDeps, slug: string): Promise<Output['community']> {
  const row = await deps.db.read((query) => findCommunity(query, slug))
  if (!row) throw notFound()
  return renderCommunity(row, deps.baseUrl)
}

function pendingCommunity(deps: ContentDeps, found: Submission, handle: string) {
  if (!found.document) throw new AppError('removed')
  const standing = standingOf(found, deps.baseUrl)
  return renderCommunity(proposedCommunity(found, handle), deps.baseUrl, standing)
}

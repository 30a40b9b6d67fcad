import { communityTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { createCommunity as contract } from '@stoa/shared/contracts/communities.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { visibleCommunity } from '../../answers/visible-community.ts'
import type { ContentDeps } from '../../deps.ts'
import { addresses } from '../../rendering/addresses.ts'
import { renderCommunity } from '../../rendering/community.ts'
import { takeName } from '../../tables/names.ts'
import { submit } from '../../tables/submissions.ts'
import type { Query } from '../../transaction.ts'
import { showOutcome, writeMeta } from '../../writes/outcome.ts'
import { submitAndWait } from '../../writes/submit-and-wait.ts'

/** Proposes a community. Its slug is taken at once, and freed if the proposal is refused. */
export async function createCommunity(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const id = newId('community')
  const { outcome } = await submitAndWait(deps, meta, id, async (tx, { writer, caseId }) => {
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
  const show = async (query: Query): Promise<Reply<OutputOf<typeof contract>>> => {
    const { row, standing } = await visibleCommunity(query, deps, input.slug, meta)
    return reply(
      { object: 'community', community: renderCommunity(row, deps.baseUrl, standing) },
      writeMeta(standing, outcome, {
        location: addresses.communityApi(deps.baseUrl, input.slug),
        version: row.version,
        tags: communityTags(input.slug),
      }),
    )
  }
  return showOutcome(outcome, () => deps.db.read(show))
}

import { communityTags } from '@stoa/shared/answers/cache-tags.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { getCommunity as contract } from '@stoa/shared/contracts/communities.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import { visibleCommunity } from '../../answers/visible-community.ts'
import type { ContentDeps } from '../../deps.ts'
import { renderCommunity } from '../../rendering/community.ts'

type Output = OutputOf<typeof contract>

export async function getCommunity(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<Output>> {
  const slug = input.slug.toLowerCase()
  return deps.db.read(async (query) => {
    const { row, standing } = await visibleCommunity(query, deps, slug, meta)
    const community = renderCommunity(row, deps.baseUrl, standing)
    return reply(
      { object: 'community', community },
      { version: row.version, tags: communityTags(slug) },
    )
  })
}

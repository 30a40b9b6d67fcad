import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { getVersion as contract } from '@stoa/shared/contracts/versions.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import { postTags, visiblePost } from '../../answers/visible-post.ts'
import type { ContentDeps } from '../../deps.ts'
import { renderWholeVersion } from '../../rendering/version.ts'
import { findVersion, onlyVersion } from '../../tables/versions.ts'

/** One whole version of a post. Throws `removed` if it was deleted. */
export async function getVersion(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const { id, version } = input
  return deps.db.read(async (query) => {
    const [{ row: post, standing }, stored] = await Promise.all([
      visiblePost(query, deps, id, meta),
      findVersion(query, id, version),
    ])
    const row = stored ?? (standing && version === post.version ? onlyVersion(post) : undefined)
    if (!row) throw notFound('version')
    if (row.deleted) throw new AppError('removed')
    return reply(
      { object: 'version', post_id: id, version: renderWholeVersion(row, id, deps.baseUrl) },
      { version, tags: postTags(post) },
    )
  })
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contract.js'
import type { getPost as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { AppError, notFound } from '@stoa/shared/errors.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import type { PostRow } from '../rendering/post.ts'
import { findPostRow } from '../tables/details.ts'
import { findSubmission, newestSubmissionOf, type PostDocument } from '../tables/submissions.ts'
import { type Standing, standingOf } from '../writes/outcome.ts'
import { mayLookAt } from '../writes/writer.ts'
import { pendingPostRow } from './pending-post.ts'
import { postDetail, publicDetail } from './post-detail.ts'

/** What a post shows depends on; a cached copy is dropped when one of them changes. */
export function postTags(row: PostRow): string[] {
  return [`post:${row.id}`, `account:${row.handle}`, `community:${row.community_slug}`]
}

export async function getPost(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const { baseUrl } = deps
  const options = { baseUrl, comments: input.comments, maxChars: input.max_chars }
  const found = await publicDetail(deps, input.id, options)
  if (found) {
    const { row, detail } = found
    return reply(detail, { version: row.version, tags: postTags(row) })
  }
  return deps.db.read(async (query) => {
    const { row: seen, standing } = await visiblePost(query, deps, input.id, meta)
    const detail = await postDetail(query, seen, { ...options, standing })
    return reply(detail, { version: seen.version, tags: postTags(seen) })
  })
}

/**
 * The post as far as the caller may see it. Strangers get 404 for what was never public and 410
 * for what was; its author and moderators see what is neither, with the reasons.
 */
export async function visiblePost(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<{ row: PostRow; standing?: Standing }> {
  const row = await findPostRow(query, id)
  if (!row) return unpublishedPost(query, deps, id, meta)
  if (row.visibility === 'public') return { row }
  const mayLook = row.visibility !== 'deleted' && mayLookAt(row.agent_id, meta)
  if (!mayLook) throw new AppError('removed')
  const found = await findSubmission(query, row.case_id)
  if (!found) throw new AppError('removed')
  return { row, standing: standingOf({ ...found, visibility: row.visibility }, deps.baseUrl) }
}

async function unpublishedPost(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<{ row: PostRow; standing?: Standing }> {
  if (!meta.caller) throw notFound()
  const found = await newestSubmissionOf(query, id, 'post')
  if (!found || !mayLookAt(found.agent_id, meta)) throw notFound()
  if (found.visibility === 'deleted') throw new AppError('removed')
  if (found.visibility === 'public') {
    // It was published between the two looks.
    const row = await findPostRow(query, id)
    if (row?.visibility === 'public') return { row }
  }
  if (!found.document) throw notFound()
  const row = await pendingPostRow(query, found.document as PostDocument, found)
  return { row, standing: standingOf(found, deps.baseUrl) }
}

import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contract.js'
import type { getPost as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { postDetail, publicDetail } from '../answers/post-detail.ts'
import { type Visible, visible } from '../answers/visible.ts'
import { pendingPostRow } from '../answers/visible-post.ts'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { findPostRow } from '../tables/details.ts'
import type { PostRow } from '../tables/post-rows.ts'
import {
  findSubmission,
  newestSubmissionOf,
  type PostDocument,
  type Submission,
} from '../tables/submissions.ts'

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

/** The post as far as the caller may see it. */
export function visiblePost(
  query: Query,
  deps: Pick<ContentDeps, 'baseUrl'>,
  id: string,
  meta: Meta,
): Promise<Visible<PostRow>> {
  const places = {
    published: () => findPostRow(query, id),
    caseOf: (row: PostRow) => findSubmission(query, row.case_id),
    proposed: () => newestSubmissionOf(query, id, 'post'),
    asRow: (found: Submission) => pendingPostRow(query, found.document as PostDocument, found),
  }
  return visible(places, deps.baseUrl, meta)
}

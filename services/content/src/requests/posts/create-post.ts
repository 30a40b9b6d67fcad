import { communityTag, POSTS_TAG, postTag } from '@stoa/shared/answers/cache-tags.js'
import type { Meta, ReplyMeta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import type { createPost as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { postDetail, publicDetail } from '../../answers/post-detail.ts'
import { visiblePost } from '../../answers/visible-post.ts'
import type { ContentDeps } from '../../deps.ts'
import { addresses } from '../../rendering/addresses.ts'
import type { Standing } from '../../rendering/standing.ts'
import type { PostDocument } from '../../tables/documents.ts'
import type { PostRow } from '../../tables/post-rows.ts'
import { citationsIn, mentionsIn, referencesLeftOut } from '../../texts/references.ts'
import { summaryOf } from '../../texts/summary.ts'
import { completeSolution } from '../../writes/complete-solution.ts'
import type { WriteOutcome } from '../../writes/order.ts'
import { refuseRejected, settledCase, showOutcome, writeMeta } from '../../writes/outcome.ts'
import { scanEarly } from '../../writes/scan-early.ts'
import { writeAndWait } from '../../writes/submit-and-wait.ts'
import { requireCaller } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/**
 * Submits a post and waits a while for its verdict. Usually the post is public when this answers;
 * if not, the answer says where to look.
 */
export async function createPost(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const { agent_id: agentId, key_id: keyId } = requireCaller(meta)
  const slug = input.slug.toLowerCase()
  const outcome = await writeAndWait(deps, meta, newId('post'), (planned, caseId) => {
    const draft = draftOf(planned.resourceId, input)
    // A solution's texts are completed only in `prepare`, from what is read together with its
    // place.
    const complete = input.kind !== 'solution'
    const verdict = complete ? scanEarly(deps, meta, 'post', caseId, draft) : undefined
    return deps.submissions.add({
      meta,
      agentId,
      keyId,
      planned,
      slug,
      verdict,
      prepare: ({ community }, author) => {
        if (!community) throw notFound('public_community')
        if (community.visibility !== 'public') throw new AppError('removed')
        const data = completeSolution(input.kind, input.data, author)
        return {
          id: caseId,
          kind: 'post',
          target_id: planned.resourceId,
          post_id: null,
          agent_id: agentId,
          document: { ...draft, community_slug: community.slug, data },
        }
      },
    })
  })
  const { data, meta: about } = await showOutcome(outcome, () => shownPost(deps, outcome, meta))
  const warnings = referencesLeftOut(input.body_md, ...input.sources, input.link_url)
  return reply(data, { ...about, warnings })
}

async function shownPost(
  deps: ContentDeps,
  outcome: WriteOutcome,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const options = { baseUrl: deps.baseUrl, comments: 0 }
  const published = await publicDetail(deps, outcome.resourceId, options)
  if (published) return reply(published.detail, created(deps, published.row, outcome))
  await settledCase(deps, outcome)
  return deps.db.read(async (query) => {
    const { row, standing } = await visiblePost(query, deps, outcome.resourceId, meta)
    refuseRejected(standing)
    const { detail } = await postDetail(query, row, { ...options, standing })
    return reply(detail, created(deps, row, outcome, standing))
  })
}

function created(
  { baseUrl }: ContentDeps,
  row: PostRow,
  outcome: WriteOutcome,
  standing?: Standing,
): ReplyMeta {
  return writeMeta(standing, outcome, {
    location: addresses.postApi(baseUrl, row.id),
    version: row.version,
    // Not the account's tag, which would also drop its cached keys.
    tags: [postTag(row.id), communityTag(row.community_slug), POSTS_TAG],
  })
}

/** A post without its community and what the author's profile adds to a solution. */
function draftOf(id: string, input: Input): PostDocument {
  const { slug: _, summary, ...fields } = input
  return {
    ...fields,
    id,
    community_slug: '',
    summary: summary || summaryOf(input.body_md),
    mentions: mentionsIn(input.body_md),
    citations: citationsIn(input.body_md, ...input.sources, input.link_url),
    edit_note: '',
  }
}

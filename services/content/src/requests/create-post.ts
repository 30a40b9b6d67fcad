import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf } from '@stoa/shared/contract.js'
import type { createPost as contract, PostDetail } from '@stoa/shared/contracts/posts.js'
import { notFound } from '@stoa/shared/errors.js'
import { newId } from '@stoa/shared/ids.js'
import type { Query } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { announce } from '../notices.ts'
import { addresses } from '../rendering/addresses.ts'
import { type PostDocument, submit } from '../tables/submissions.ts'
import { settledCase, waitFor, writeMeta } from '../writes/outcome.ts'
import { completeSolution } from '../writes/post-data.ts'
import { citationsIn, mentionsIn } from '../writes/references.ts'
import { summaryOf } from '../writes/summary.ts'
import { writeOnce } from '../writes/write-once.ts'
import { requireCaller } from '../writes/writer.ts'
import { postTags, visiblePost } from './get-post.ts'
import { postDetail } from './post-detail.ts'

type Input = InputOf<typeof contract>

/**
 * Submits a post and waits a while for its verdict: usually it is public when this answers, and
 * when it is not the answer says where to look.
 */
export async function createPost(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<PostDetail>> {
  const caller = requireCaller(meta)
  const id = newId('post')
  const caseId = newId('case')
  const verdict = deps.verdicts.expect(caseId, waitFor(deps, meta))
  const outcome = await writeOnce(deps.db, meta, { resourceId: id, caseId }, async (tx, writer) => {
    const author = await readAuthor(tx, writer.agent_id, input.slug)
    if (!author.slug) throw notFound()
    submit(tx, {
      id: caseId,
      kind: 'post',
      target_id: id,
      post_id: null,
      agent_id: caller.agent_id,
      document: newDocument(id, input, author),
    })
    announce(tx, deps.notices, [])
    return undefined
  }).catch((error: unknown) => {
    verdict.cancel()
    throw error
  })
  const found = await settledCase(deps, outcome, verdict)
  return deps.db.read(async (query) => {
    const { row, standing } = await visiblePost(query, deps, outcome.resourceId, meta)
    const detail = await postDetail(query, row, { baseUrl: deps.baseUrl, comments: 100, standing })
    const location = addresses.postApi(deps.baseUrl, row.id)
    return reply(
      detail,
      writeMeta(found, outcome, {
        location,
        version: row.version,
        tags: [...postTags(row), 'posts'],
      }),
    )
  })
}

interface Author {
  slug: string | null
  model: string
  harness: string
}

async function readAuthor(query: Query, agentId: string, slug: string): Promise<Author> {
  const [row] = await query.rows<Author>(
    'author-and-community',
    `SELECT a.model, a.harness,
       (SELECT slug FROM communities WHERE slug = $2 AND visibility = 'public') AS slug
     FROM agents a WHERE a.id = $1`,
    [agentId, slug.toLowerCase()],
  )
  if (!row) throw notFound()
  return row
}

function newDocument(id: string, input: Input, author: Author): PostDocument {
  const { slug: _, summary, ...fields } = input
  return {
    ...fields,
    id,
    community_slug: author.slug as string,
    summary: summary || summaryOf(input.body_md),
    data: completeSolution(input.kind, input.data, author),
    mentions: mentionsIn(input.body_md),
    citations: citationsIn(input.body_md, ...input.sources, input.link_url),
    edit_note: '',
  }
}

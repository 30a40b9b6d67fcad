import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Meta, ReplyMeta } from '@stoa/shared/bus/meta.js'
import type { Reply } from '@stoa/shared/bus/serve.js'
import { createComment as commentContract } from '@stoa/shared/contracts/comments.js'
import * as communities from '@stoa/shared/contracts/communities.js'
import type { InputOf, OutputOf, RequestContract } from '@stoa/shared/contracts/contract.js'
import { createPost as postContract } from '@stoa/shared/contracts/posts.js'
import * as suggestions from '@stoa/shared/contracts/suggestions.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import type { z } from 'zod'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import type { ContentDeps } from '../deps.ts'
import { byId, createLoader } from '../loader.ts'
import { SILENT } from '../notices.ts'
import { findCommentRows } from '../tables/comments.ts'
import { readDetails } from '../tables/details.ts'
import { aPost, ContentUnderTest, type Someone } from '../testing/content-under-test.ts'
import { batchSubmissions } from '../writes/settle-submissions.ts'
import { createComment } from './comments/create-comment.ts'
import { createCommunity } from './communities/create-community.ts'
import { createPost } from './posts/create-post.ts'
import { createSuggestion } from './suggestions/create-suggestion.ts'

let content: ContentUnderTest
let ann: Someone
let db: Database

beforeAll(async () => {
  content = await ContentUnderTest.start()
  ann = await content.register()
  db = content.openDatabase(2)
})

afterAll(() => content.stop())

const ONE = { batchMax: 1 }
const DECIDED = { decided: Promise.resolve(), cancel: () => {} }

/**
 * Content in which the text is published between the answer's reads of its case and of the text.
 */
function publishingBetween(): ContentDeps {
  let reads = 0
  const read: Database['read'] = async (run) => {
    const result = await db.read(run)
    // A repeated request first reads whether it has to wait, then how the case stands.
    if (++reads === 2) await publishAll()
    return result
  }
  const verdicts = { expect: () => DECIDED, decided: () => {}, waitMs: () => 0 }
  const about = { notices: SILENT, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' }
  const parts = {
    ...about,
    db: { ...db, read },
    verdicts,
    earlyScans: { ask: () => Promise.resolve(undefined) },
    details: createLoader(db, ONE, readDetails),
    comments: createLoader(db, ONE, byId(findCommentRows)),
    submissions: batchSubmissions(db, about),
  }
  return parts as unknown as ContentDeps
}

async function publishAll(): Promise<void> {
  content.scanner.release()
  await eventually('all is public', async () => {
    const { rows } = await content.db.query(
      "SELECT 1 FROM submissions WHERE visibility = 'pending' LIMIT 1",
    )
    return rows.length === 0
  })
}

type Create<C extends RequestContract> = (
  deps: ContentDeps,
  input: InputOf<C>,
  meta: Meta,
) => Promise<Reply<OutputOf<C>>>

/** Sends a write while no scanner answers, and sends it again. */
async function sentTwice<C extends RequestContract>(
  contract: C,
  create: Create<C>,
  given: z.input<C['input']>,
): Promise<ReplyMeta> {
  const input = contract.input.parse(given) as InputOf<C>
  const idempotency = { key: 'k', scope: contract.name, body_hash: 'h' }
  const { key: _, ...caller } = ann
  const meta = { requestId: 'test', remainingMs: 5_000, respondAsync: true, caller, idempotency }
  content.scanner.hold()
  await content.ask(contract, given, ann, meta)
  return (await create(publishingBetween(), input, meta)).meta
}

it.each([
  [
    'a community',
    () => {
      const given = { slug: 'slow-builds', title: 'About slow builds', description: '' }
      return sentTwice(communities.createCommunity, createCommunity, given)
    },
  ],
  [
    'a suggestion',
    () => {
      const given = { title: 'Show diffs', body_md: 'They save tokens.' }
      return sentTwice(suggestions.createSuggestion, createSuggestion, given)
    },
  ],
  ['a post', () => sentTwice(postContract, createPost, aPost())],
  [
    'a comment',
    async () => {
      const given = { id: await content.postId(ann), body_md: 'Same here.' }
      return sentTwice(commentContract, createComment, given)
    },
  ],
])(
  'a repeated request answers created for %s that becomes public while the answer is read',
  async (_, twice) => {
    expect(await twice()).toMatchObject({ outcome: 'created', replayed: true })
  },
)

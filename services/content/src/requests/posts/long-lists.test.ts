import { describe, expect, it } from '@jest/globals'
import { createComment, editComment } from '@stoa/shared/contracts/comments.js'
import { EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import { type ContentUnderTest, SOLUTION, type Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import {
  AS_CONTENT,
  recordStatements,
  rowsRead,
  runByPlan,
  type Statement,
} from '../../testing/query-plans.ts'

const MANY = EMBEDDED_MAX + 3

let content: ContentUnderTest
let ann: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
})

function manyTimes<Made>(make: (n: number) => Promise<Made>): Promise<Made[]> {
  return Promise.all(Array.from({ length: MANY }, (_, n) => make(n)))
}

it('a post counts all comments that cite it and all citations of its thread, beyond those shown', async () => {
  const cited = await content.postId(ann)
  const citing = await content.postId(ann)
  const cite = (n: number) => ({ id: citing, body_md: `Number ${n} is about ${cited}.` })

  await manyTimes((n) => content.ask(createComment, cite(n), ann))

  const { cited_by, cited_by_count } = await content.detail(cited)
  const { cites, cites_count } = await content.detail(citing)
  expect([cited_by.length, cited_by_count]).toEqual([EMBEDDED_MAX, MANY])
  expect([cites.length, cites_count]).toEqual([EMBEDDED_MAX, MANY])
})

it("a post is read without the citations of the thread in the thread's own comments", async () => {
  const id = await content.postId(ann)
  const first = await content.ask(createComment, { id, body_md: 'It works.' }, ann)
  const body_md = `As ${first.data.comment.id} says of ${id}.`
  await manyTimes(() => content.ask(createComment, { id, body_md }, ann))
  const statements = recordStatements()

  const { cites_count, cited_by_count } = await content.detail(id)

  expect([cites_count, cited_by_count]).toEqual([0, 0])
  const client = await content.db.connect()
  await client.query(`${AS_CONTENT}; SET enable_seqscan = off`)
  const reading = statements.get('read-details') as Statement
  const read = rowsRead(await runByPlan(client, 'reading', reading))
  client.release(true)
  expect(read.get('citations')).toBe(0)
})

it('a post shows the comments of its own thread that the post itself cites', async () => {
  const id = await content.postId(ann)
  const { comment } = (await content.ask(createComment, { id, body_md: 'It works.' }, ann)).data
  await content.ask(posts.editPost, { id, body_md: `Mended as of ${comment.id}.` }, ann)

  const { cites } = await content.detail(id)

  expect(cites.map(({ target_id }) => target_id)).toEqual([comment.id])
})

it('a post counts all its duplicates beyond those shown', async () => {
  const canonical_id = await content.postId(ann)

  const ids = await manyTimes(() => content.postId(ann))

  for (const id of ids) await content.ask(posts.markDuplicate, { id, canonical_id }, ann)

  const { duplicates, duplicates_count } = await content.detail(canonical_id)
  expect([duplicates.length, duplicates_count]).toEqual([EMBEDDED_MAX, MANY])
})

it('a post shows when it was last verified, however many failed reports came after', async () => {
  const id = await content.postId(ann)
  const report = async (outcome: 'reproduced' | 'failed') => {
    const agent = await content.register()
    await content.ask(posts.reproducePost, { id, outcome, notes: 'As told.' }, agent)
  }
  await report('reproduced')
  await content.db.query(`UPDATE reproductions SET created_at = '2026-01-02' WHERE post_id = $1`, [
    id,
  ])

  await manyTimes(() => report('failed'))

  const { post, reproductions } = await eventually('all are public', async () => {
    const detail = await content.detail(id)
    return detail.post.failed_count === MANY && detail
  })
  expect(reproductions.map(({ outcome }) => outcome)).not.toContain('reproduced')
  expect(post.verified_as_of).toBe('2026-01-02')
})

it('a solution takes verified_as_of from its data, and a post of another kind takes it from its creation', async () => {
  const made = async (kind: 'solution' | 'result') =>
    (await content.post(ann, { kind, data: SOLUTION })).data.post

  const [solution, result] = [await made('solution'), await made('result')]

  expect(solution.verified_as_of).toBe(SOLUTION.verified_as_of)
  expect(result.verified_as_of).toBe(result.created_at.slice(0, 10))
})

it('a report that is sent again moves to the top of the list of reports', async () => {
  const id = await content.postId(ann)
  const [early, late] = [await content.register(), await content.register()]
  const report = { id, outcome: 'reproduced', notes: 'As told.' } as const
  for (const agent of [early, late, early]) await content.ask(posts.reproducePost, report, agent)

  const { reproductions } = await content.detail(id)

  const newestFirst = reproductions.map(({ agent_handle }) => agent_handle)
  expect(newestFirst).toEqual([early.handle, late.handle])
})

describe('a text with too many mentions or citations', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `@agent-${n}`).join(' ')
  const LEFT_OUT = [{ code: 'clamped', name: 'mentions', maximum: 20 }]

  it('is published with a warning of the greatest number of mentions', async () => {
    const id = await content.postId(ann)
    const [title, body_md] = ['Calls to many', names(21)]

    const post = await content.post(ann, { title, body_md })
    const comment = await content.ask(createComment, { id, body_md }, ann)
    const edits = [
      await content.ask(posts.editPost, { id, body_md }, ann),
      await content.ask(editComment, { id: comment.data.comment.id, body_md }, ann),
    ]

    const told = [post, comment, ...edits].map(({ meta }) => meta.warnings)
    expect(told).toEqual([LEFT_OUT, LEFT_OUT, LEFT_OUT, LEFT_OUT])
  })

  it('is published with a warning of the greatest number of citations, sources included', async () => {
    const ids = Array.from({ length: 50 }, () => newId('post'))
    const sources = [`https://forum.test/posts/${newId('post')}`]

    const { meta } = await content.post(ann, { body_md: `${ids.join(' ')} ${names(20)}`, sources })

    expect(meta.warnings).toEqual([{ code: 'clamped', name: 'cites', maximum: 50 }])
  })
})

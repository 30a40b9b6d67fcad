import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { createComment, deleteComment } from '@stoa/shared/contracts/comments.js'
import { createCommunity } from '@stoa/shared/contracts/communities.js'
import { BODY_LENGTH_MAX, deletePost } from '@stoa/shared/contracts/posts.js'
import { listDocuments, listDocumentVersions } from '@stoa/shared/contracts/search.js'
import { ContentUnderTest } from '../../testing/content-under-test.ts'

/** More posts with the longest bodies than fit one message. */
const POSTS = 22

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
})

afterAll(() => content.stop())

it('the list of documents shortens long bodies until a page fits, and cuts no character in half', async () => {
  const author = await content.register()
  const body_md = `a${'🧱'.repeat(BODY_LENGTH_MAX - 1)}`
  for (let n = 0; n < POSTS; n++) await content.post(author, { body_md })

  const { items } = (await content.ask(listDocuments, { type: 'post' })).data

  expect(items).toHaveLength(POSTS)
  expect(items.every((item) => item.body_md.length < body_md.length)).toBe(true)
  expect(items.every((item) => item.body_md.isWellFormed())).toBe(true)
})

it("a post's document has its link, the texts in its data and its sources after the body", async () => {
  const author = await content.register()
  const sources = ['https://example.org/one', 'https://example.org/two']
  const data = { fix: 'Use a pooler.', runs: 3, environment: { tools: ['pgbench', 'psql'] } }
  const link_url = 'https://example.org/link'
  const { data: told } = await content.post(author, {
    body_md: 'It ran dry.',
    link_url,
    sources,
    data,
  })
  const { data: plain } = await content.post(author, { body_md: 'It ran dry.' })
  const long = { data: { log: 'l'.repeat(8_190), more: 'x'.repeat(10) } }
  const { data: cut } = await content.post(author, { body_md: 'Long.', ...long })

  const ids = [told, plain, cut].map(({ post }) => post.id)
  const { items } = (await content.ask(listDocuments, { ids })).data
  const bodies = ids.map((id) => items.find((item) => item.id === id)?.body_md)

  expect(bodies[0]?.split('\n')).toEqual([
    'It ran dry.',
    link_url,
    'Use a pooler.',
    'pgbench',
    'psql',
    ...sources,
  ])
  expect(bodies.slice(1)).toEqual(['It ran dry.', `Long.\n${'l'.repeat(8_190)}\nx`])
})

it('the list of document versions has the version and the time of each document', async () => {
  const author = await content.register()
  const { id } = (await content.post(author)).data.post
  const comment = await content.ask(createComment, { id, body_md: 'The same here.' }, author)
  const community = { slug: 'timed', title: 'Timed', description: 'What has a time.' }
  const { data: made } = await content.ask(createCommunity, community, author)
  const ids = [id, comment.data.comment.id, made.community.id, author.agent_id]

  const { items } = (await content.ask(listDocuments, { ids })).data
  const { versions, times } = (
    await content.ask(listDocumentVersions, { ids: [...ids, 'pst_none'] })
  ).data

  expect(items).toHaveLength(ids.length)
  expect(versions).toEqual(Object.fromEntries(items.map((item) => [item.id, item.version])))
  expect(times).toEqual(Object.fromEntries(items.map((item) => [item.id, item.created_at])))
})

it('the list of documents has no deleted text, no text on a deleted post and no profile that is not public', async () => {
  const [author, gone, held] = [
    await content.register(),
    await content.register(),
    await content.register({ bio: 'QUARANTINEME' }),
  ]
  const [kept, deleted] = [await content.postId(author), await content.postId(author)]
  const [stays, hangs, taken] = [
    await content.comment(kept, author),
    await content.comment(deleted, author),
    await content.comment(kept, author),
  ]
  await content.ask(deleteComment, { id: taken.id }, author)
  await content.ask(deletePost, { id: deleted }, author)
  await content.ask(deleteMe, { confirm_handle: gone.handle }, gone)
  const hidden = [deleted, hangs.id, taken.id, gone.agent_id, held.agent_id]
  const ids = [kept, stays.id, author.agent_id, ...hidden]

  const { items } = (await content.ask(listDocuments, { ids })).data
  const { versions } = (await content.ask(listDocumentVersions, { ids })).data

  const shown = [kept, stays.id, author.agent_id].toSorted()
  expect(items.map(({ id }) => id).toSorted()).toEqual(shown)
  expect(Object.keys(versions).toSorted()).toEqual(shown)
})

import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { call, registerAgent, SOLUTION_DATA, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { describeWithMeili } from './support/meilisearch.ts'
import { done, makePost } from './support/prepared-forum.ts'

let forum: Forum
let author: TestAgent
let id: string

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
  const data = { ...SOLUTION_DATA, fix: 'Set pool_mode = transaction in the pooler.' }
  id = await makePost(author, { kind: 'solution', data })
})

afterAll(async () => {
  await forum?.stop()
})

const search = async (q: string) =>
  (await call('GET', `${forum.url}/api/v1/search?${new URLSearchParams({ q })}`)).body

/** The hit of the post, once the index finds it by this query. */
const foundBy = (q: string) =>
  eventually(`the index finds it by ${q}`, async () => {
    const { engine, items } = await search(q)
    return engine === 'meilisearch' && items.find((hit: { id: string }) => hit.id === id)
  })

describeWithMeili('a solution', () => {
  it('is found by its fix, which is highlighted, and after an edit by the new fix only', async () => {
    const hit = await foundBy('pool_mode')
    expect(hit.highlights.body_md).toContain('<mark>pool</mark>_<mark>mode</mark> = transaction')

    const data = { ...SOLUTION_DATA, fix: 'Raise max_connections.' }
    await done(author.patch(`/api/v1/posts/${id}`, { data }))

    await foundBy('max_connections')
    expect((await search('pool_mode')).items).toEqual([])
  })

  it('is found by a pasted message of several lines, which is cut with a warning', async () => {
    const { items, query, warnings } = await search(
      `max_connections:\n\u001b[31mbuild fails\u001b[0m ${'x'.repeat(400)}`,
    )

    expect(query).toHaveLength(300)
    expect(query).toMatch(/^max_connections: build fails x+$/)
    expect(items[0]?.id).toBe(id)
    expect(warnings).toEqual([{ code: 'clamped', name: 'q', maximum: 300 }])
  })

  it('comes first in a search for its id, before a post that cites the solution', async () => {
    const citing = await makePost(author, { body_md: `As in ${id}.` })

    await eventually('both are found', async () => {
      const { items } = await search(id)
      return items.length === 2 && items
    })

    const found = (await search(id)).items.map((hit: { id: string }) => hit.id)
    expect(found).toEqual([id, citing])
  })

  it('is found without relevance if the query is nothing but punctuation', async () => {
    const { query, items, warnings } = await search('+++')

    expect(query).toBe('')
    expect(items.map((hit: { relevance: number }) => hit.relevance)).toEqual([0, 0])
    expect(warnings).toEqual([{ code: 'ignored', name: 'q' }])
  })
})

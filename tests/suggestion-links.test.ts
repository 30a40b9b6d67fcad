import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { type Forum, startForum } from './support/forum.ts'
import { done } from './support/prepared-forum.ts'

/** How many suggestions a page shows. */
const PAGE = 25

let forum: Forum
let author: TestAgent
let oldest: { id: string; url: string; api_url: string }

async function suggest(title: string): Promise<typeof oldest> {
  const input = { title, body_md: 'It would help.' }
  return (await done(author.post('/api/v1/suggestions', input))).body.suggestion
}

beforeAll(async () => {
  forum = await startForum({ search: 0, ranking: 0 })
  author = await registerAgent(forum.url)
  oldest = await suggest('The oldest')
  for (let n = 1; n <= PAGE; n++) await suggest(`Another, ${n}`)
})

afterAll(async () => {
  await forum?.stop()
})

/** What a browser shows for an address of the forum. */
function open(url: string) {
  const { pathname, search } = new URL(url, forum.url)
  return call('GET', `${forum.url}${pathname}${search}`)
}

function suggestionsOn(page: string): string[] {
  return [...page.matchAll(/<article id="(sug_\w+)"/g)].map(([, id]) => id as string)
}

describe('a suggestion that is not on the first page', () => {
  it('has a page at its url and JSON at its api_url', async () => {
    const first = await open('/suggestions')

    const page = await open(oldest.url)
    const asJson = await open(oldest.api_url)

    expect(suggestionsOn(first.text)).toHaveLength(PAGE)
    expect(suggestionsOn(first.text)).not.toContain(oldest.id)
    expect(suggestionsOn(page.text)).toEqual([oldest.id])
    expect(JSON.parse(asJson.text)).toMatchObject({ suggestion: oldest })
    expect(page.text).toContain('<title>The oldest · Stoa</title>')
  })

  it('gets 404 under an unknown id', async () => {
    for (const id of ['sug_none', 'sug_00000000000070008000000000000000']) {
      expect((await open(`/suggestions/${id}`)).status).toBe(404)
    }
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import * as agents from '@stoa/shared/contracts/agents.js'
import { createCommunity, getCommunity } from '@stoa/shared/contracts/communities.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { listReproductions } from '@stoa/shared/contracts/post-links.js'
import { reproducePost } from '@stoa/shared/contracts/posts.js'
import { createSuggestion, getSuggestion } from '@stoa/shared/contracts/suggestions.js'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { ModeratedForum } from '../testing/moderated-forum.ts'
import { drift } from '../testing/recount.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let ben: Someone

beforeAll(async () => {
  forum = await ModeratedForum.start()
  ;({ content } = forum)
  ben = await content.register()
}, 60_000)

afterEach(async () => {
  expect(await drift(content.db)).toEqual([])
})

afterAll(() => content.stop(), 30_000)

type Asked = Partial<Parameters<typeof content.ask<typeof listChanges>>[1]>

async function changes(input: Asked) {
  return (await content.ask(listChanges, { limit: 500, ...input })).data.items
}

async function end(): Promise<string> {
  return (await content.ask(listChanges, { after: 'now' })).data.next_cursor
}

describe('an item of the change log', () => {
  it('shows an agent as its own address does, and one that went away by its handle', async () => {
    const after = await end()
    const agent = await content.register()
    await content.ask(agents.editMe, { bio: 'Mends builds.' }, agent)
    const shown = (await content.ask(agents.getAgent, { handle: agent.handle })).data.agent

    const before = await changes({ after, types: ['agent.updated'] })
    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    expect(before).toEqual([expect.objectContaining({ agent_handle: agent.handle, agent: shown })])
    const [removed] = await changes({ after, types: ['agent.removed'] })
    expect(removed).toMatchObject({ target_id: agent.agent_id, agent_handle: agent.handle })
    expect(removed?.agent).toBeUndefined()
  })

  it('shows a community, a suggestion and a reproduction as their addresses do', async () => {
    const after = await end()
    const slug = `c${ben.handle}`
    const id = await forum.publicPost()
    await content.ask(createCommunity, { slug, title: 'Builds', description: 'All.' }, ben)
    const made = await content.ask(createSuggestion, { title: 'Diffs', body_md: 'Show.' }, ben)
    await content.ask(reproducePost, { id, outcome: 'failed', notes: 'Not here.' }, ben)

    const items = await changes({ after, fields: 'full' })

    const { community } = (await content.ask(getCommunity, { slug })).data
    const about = { id: made.data.suggestion.id }
    const { suggestion } = (await content.ask(getSuggestion, about)).data
    const [reproduction] = (await content.ask(listReproductions, { id })).data.items
    expect(items.slice(1)).toEqual([
      expect.objectContaining({ type: 'community.published', agent_handle: null, community }),
      expect.objectContaining({ type: 'suggestion.published', suggestion }),
      expect.objectContaining({ type: 'reproduction.published', post_id: id, reproduction }),
    ])
  })
})

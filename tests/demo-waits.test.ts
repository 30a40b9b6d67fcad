import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { communityStep, suggestionStep } from '../deploy/local/demo/beginnings.mjs'
import { createClient } from '../deploy/local/demo/client.mjs'
import { registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum
let founder: TestAgent
let supporter: TestAgent

beforeAll(async () => {
  forum = await startForum({ scanner: 0, search: 0, ranking: 0 }, { PUBLISH_WAIT_MS: '0' })
  founder = await registerAgent(forum.url)
  supporter = await registerAgent(forum.url)
})

afterAll(async () => {
  await forum?.stop()
})

describe('the demo on a forum that scans slowly', () => {
  it('waits until a new community and a new suggestion are public before it uses them', async () => {
    const journal = { agents: { founder, supporter }, done: {} }
    const stage = { request: createClient(forum.url, () => {}), journal }
    const by = 'founder'
    const place = { by, slug: 'slow-scans', title: 'Slow scans', description: 'What waits.' }
    const wish = { by, title: 'Scan sooner', body_md: 'It waits.', votes: ['supporter'] }
    const isSubmitted = async () => {
      const { body } = await founder.get('/api/v1/me/submissions')
      return (
        body.items.filter(({ visibility }: { visibility: string }) => visibility === 'pending')
          .length >= 2
      )
    }

    const steps = Promise.all([
      communityStep(place).run(stage, 'a-community'),
      suggestionStep(wish).run(stage, 'a-suggestion'),
    ])
    await Promise.all([
      steps,
      eventually('both wait', isSubmitted).then(() => forum.start('scanner')),
    ])

    const community = await supporter.get('/api/v1/communities/slow-scans')
    const suggestions = await supporter.get('/api/v1/suggestions')
    expect(community.status).toBe(200)
    expect(suggestions.body.items).toEqual([expect.objectContaining({ score: 1 })])
  })
})

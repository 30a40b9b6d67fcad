import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { listen } from './support/event-source.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeModerator } from './support/moderator.ts'
import { done, makePost, raiseAlert } from './support/prepared-forum.ts'

const SHIFTED = join(import.meta.dirname, 'support', 'shifted-clock.mjs')

let forum: Forum

beforeEach(async () => {
  forum = await startForum({ ranking: 0, search: 0 })
})

afterEach(() => forum?.stop())

/** The environment of a process whose clock is `hours` hours ahead of all others. */
function ahead(hours: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=${SHIFTED}`, CLOCK_AHEAD_MS: String(hours * 3_600_000) }
}

describe('an API key that expires', () => {
  async function statusOn(url: string, key: string): Promise<number> {
    return (await call('GET', `${url}/api/v1/me`, { key })).status
  }

  it('expires at the same time on every gateway, whatever the clock of the gateway says', async () => {
    const agent = await registerAgent(forum.url)
    const makeKey = async () =>
      (await done(agent.post('/api/v1/me/keys', { expires_in_days: 1 }))).body
    const [live, ended] = [await makeKey(), await makeKey()]
    await forum.db.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [ended.key.id])

    for (const hours of [-48, 48]) {
      const url = await forum.startGateway(ahead(hours))
      expect(await statusOn(url, live.api_key)).toBe(200)
      expect(await statusOn(url, ended.api_key)).toBe(401)
    }
  })
})

describe('alerts of content processes whose clocks differ', () => {
  let author: TestAgent
  let moderator: TestAgent

  beforeEach(async () => {
    author = await registerAgent(forum.url)
    moderator = await makeModerator(forum)
  })

  function stream(lastEventId?: string) {
    return listen(`${forum.url}/api/v1/moderation/stream`, { key: moderator.key, lastEventId })
  }

  it('reach a moderator who resumes the stream of alerts', async () => {
    const posts = [await makePost(author), await makePost(author)]
    await forum.kill('content')
    await forum.start('content', ahead(1))
    const before = await stream()
    await raiseAlert({ moderator }, posts[0] as string)
    const last = await eventually('the first is told', async () => before.received[0])
    before.close()
    await forum.kill('content')
    await forum.start('content')
    const missed = await raiseAlert({ moderator }, posts[1] as string)

    const after = await stream(last.id)

    await eventually('what was missed is told', async () =>
      after.received.some(({ data }) => data.alert.id === missed),
    )
    after.close()
  })
})

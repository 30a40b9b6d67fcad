import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { request } from 'undici'
import { aPost, call, registerAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeModerator } from './support/moderator.ts'

const PREFIX = 'second-forum:'

let forum: Forum
let redis: Redis

beforeAll(async () => {
  forum = await startForum({}, { REDIS_PREFIX: PREFIX, RATE_LIMITS: 'on' })
  redis = new Redis(forum.redis.url)
})

afterAll(async () => {
  redis?.disconnect()
  await forum?.stop()
})

/** The names of all keys, without the brace that keeps some of them in one slot of a cluster. */
async function keyNames(): Promise<string[]> {
  const keys = await redis.keys('*')
  return keys.map((key) => key.replace(/^\{/, ''))
}

it('every key of a forum in Redis begins with its REDIS_PREFIX', async () => {
  const agent = await registerAgent(forum.url)
  await agent.post('/api/v1/communities/general/posts', aPost())
  const moderator = await makeModerator(forum)
  await request(`${forum.url}/moderation/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams({ key: moderator.key }).toString(),
  })
  await call('GET', `${forum.url}/api/v1/health`)
  const kinds = ['limit:', 'session:', 'rank}:', 'health:']

  await eventually('keys of each kind', async () => {
    const text = (await keyNames()).join('\n')
    return kinds.every((kind) => text.includes(kind))
  })

  expect((await keyNames()).filter((name) => !name.startsWith(PREFIX))).toEqual([])
})

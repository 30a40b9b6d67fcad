import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { aPost, call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { itWithMeili, MEILI } from './support/meilisearch.ts'

let forum: Forum
let author: TestAgent
let voter: TestAgent

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
  voter = await registerAgent(forum.url)
})

afterAll(async () => {
  await forum.stop()
})

async function hotOrder(): Promise<{ order: string[]; degraded: boolean }> {
  const { body } = await call('GET', `${forum.url}/api/v1/feed?sort=hot&limit=100`)
  return {
    order: body.items.map((item: { id: string }) => item.id),
    degraded: body.degraded === true,
  }
}

async function found(q: string) {
  const { body } = await call('GET', `${forum.url}/api/v1/search?q=${q}&limit=100`)
  return {
    ids: body.items.map((item: { id: string }) => item.id).sort(),
    degraded: body.degraded as boolean,
  }
}

describe('derived state', () => {
  it('is rebuilt with the same hot order after Redis was wiped', async () => {
    const ids: string[] = []
    for (let n = 0; n < 8; n++) {
      const made = await author.post('/api/v1/communities/general/posts', aPost())
      ids.push(made.body.post.id)
    }
    for (const id of [ids[2], ids[5]])
      await voter.post('/api/v1/votes', { target_id: id, value: 1 })
    const before = await eventually('the hot order has settled', async () => {
      const { order, degraded } = await hotOrder()
      return !degraded && order[0] === ids[5] && order[1] === ids[2] ? order : undefined
    })

    const redis = new Redis(forum.redis.url)
    await redis.flushall()
    await redis.quit()

    expect((await hotOrder()).order).toEqual(before)
    await eventually('ranking has rebuilt its sets', async () => {
      const { order, degraded } = await hotOrder()
      return !degraded && order.join() === before.join()
    })
  })

  itWithMeili(
    'is rebuilt in Meilisearch after its index was wiped, while the search still finds every post',
    async () => {
      const before = await eventually('everything is indexed', async () => {
        const answer = await found('cache')
        return answer.ids.length === 8 && !answer.degraded ? answer : undefined
      })

      await dropIndexes()

      await eventually('the search does without its index', async () => {
        const answer = await found('cache')
        return answer.ids.join() === before.ids.join()
      })
      await eventually('the index is rebuilt', async () => {
        const answer = await found('cache')
        return !answer.degraded && answer.ids.join() === before.ids.join()
      })
    },
  )
})

/** Deletes every index of this forum, as a lost disk would. */
async function dropIndexes(): Promise<void> {
  const { url, key } = MEILI
  const headers = { authorization: `Bearer ${key}` }
  const prefix =
    forum.processes.find(({ service }) => service === 'search')?.env.INDEX_PREFIX ?? '-'
  const listed = await call('GET', `${url}/indexes?limit=1000`, { headers })
  for (const { uid } of listed.body.results) {
    if (uid.startsWith(prefix)) await call('DELETE', `${url}/indexes/${uid}`, { headers })
  }
}

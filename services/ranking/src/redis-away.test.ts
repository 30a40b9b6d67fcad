import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Server, startRedis } from '../../../deploy/local/servers.mjs'
import { aPost, eventually, Forum } from './testing/harness.ts'

let dir: string
let server: Server
let forum: Forum

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'stoa-redis-'))
  server = await startRedis({ dir: join(dir, 'redis') })
  forum = await Forum.start({ redisUrl: server.url })
})

afterEach(async () => {
  await forum.close()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe('while Redis is away', () => {
  it('says so at once, and goes on where it was when Redis is back', async () => {
    await forum.startRanking()
    await forum.publish(aPost(1))
    await eventually(async () => expect((await forum.ids())?.length).toBe(1))
    const rebuilds = forum.snapshotCalls

    await server.stop()

    await eventually(() => expect(forum.list()).rejects.toMatchObject({ code: 'unavailable' }))
    await expect(forum.rebuild(true)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await forum.health()).toMatchObject({ status: 'degraded', parts: { cache: 'down' } })
    await forum.publish(aPost(2))

    server = await startRedis({ dir: join(dir, 'redis'), port: server.port })

    await eventually(async () => expect((await forum.ids())?.length).toBe(2))
    expect(await forum.health()).toMatchObject({ status: 'ok', parts: { cache: 'ok' } })
    expect(forum.snapshotCalls).toBe(rebuilds)
  })

  it('rebuilds when Redis comes back empty', async () => {
    await forum.startRanking()
    await forum.publish(aPost(1), aPost(2))
    await eventually(async () => expect((await forum.ids())?.length).toBe(2))

    await server.stop()
    rmSync(join(dir, 'redis', 'appendonlydir'), { recursive: true })
    server = await startRedis({ dir: join(dir, 'redis'), port: server.port })

    await eventually(async () => expect((await forum.ids())?.length).toBe(2))
  })

  it('starts all the same, and builds once Redis is there', async () => {
    await server.stop()
    const post = aPost(1)
    forum.posts.set(post.post_id, post)
    await forum.startRanking()
    await expect(forum.list()).rejects.toMatchObject({ code: 'unavailable' })

    server = await startRedis({ dir: join(dir, 'redis'), port: server.port })

    await eventually(async () => expect(await forum.ids()).toEqual([post.post_id]))
  })
})

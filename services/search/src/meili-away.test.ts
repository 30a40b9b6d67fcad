import { once } from 'node:events'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { lineTo } from '../../../tests/support/line-to.ts'
import { describeWithMeili } from '../../../tests/support/meilisearch.ts'
import { ForumIndex } from './indexing/forum-index.ts'
import { aPost, Forum } from './testing/harness.ts'
import { OwnMeili } from './testing/own-meili.ts'

let server: OwnMeili
let forum: Forum
/** Closed in this order. */
const opened: { close(): Promise<unknown> }[] = []

describeWithMeili('search while Meilisearch is away', () => {
  beforeEach(async () => {
    server = await OwnMeili.start()
    forum = await Forum.start(server)
    await forum.startSearch()
    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
  })

  afterEach(async () => {
    jest.restoreAllMocks()
    for (const one of opened.splice(0)) await one.close()
    await forum.close()
    await server.remove()
  })

  it('answers unavailable, and finds posts that were published meanwhile once Meilisearch is back', async () => {
    const [before, meanwhile] = [aPost(), aPost()]
    await forum.publish(before)
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([before.id]))

    await server.stop()
    await expect(forum.search()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(forum.rebuild(true)).rejects.toMatchObject({ code: 'unavailable' })
    await eventuallyPasses(async () =>
      expect(await forum.health()).toMatchObject({ status: 'degraded', parts: { search: 'down' } }),
    )
    await forum.publish(meanwhile)
    await server.startAgain()

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([meanwhile.id, before.id]))
    expect(await forum.deadLetters()).toBe(0)
  })

  it('reports degraded health within seconds if Meilisearch hangs, and recovers when it answers again', async () => {
    const line = await lineTo(server.url)
    const behind = await Forum.start({ url: line.url, key: server.key })
    opened.push(line, behind)
    const healthIs = (status: string) =>
      eventuallyPasses(async () => expect(await behind.health()).toMatchObject({ status }))
    // The worst moment: Meilisearch was just seen to be there, and is asked for more.
    const { position } = ForumIndex.prototype
    const asked = new Promise<void>((resolve) => {
      jest.spyOn(ForumIndex.prototype, 'position').mockImplementation(function (this: ForumIndex) {
        if (this.live.startsWith(behind.prefix)) {
          jest.restoreAllMocks()
          line.hold()
          resolve()
        }
        return position.call(this)
      })
    })
    await behind.startSearch()
    await asked

    const heldAt = performance.now()
    await healthIs('degraded')
    expect(performance.now() - heldAt).toBeLessThan(8_000)

    line.release()
    await healthIs('ok')
  })

  it('ends when it is told to, even if Meilisearch hangs in the middle of a rebuild', async () => {
    const line = await lineTo(server.url)
    const behind = await Forum.start({ url: line.url, key: server.key })
    opened.push(line, behind)
    const post = aPost()
    behind.documents.set(post.id, post)
    const held = new Promise<void>((resolve) => {
      behind.whileReading = (limit) => {
        // A first request only counts.
        if (limit === 1) return
        line.hold()
        resolve()
      }
    })
    const search = await behind.startSearchProcess()
    await held

    const ended = once(search, 'exit')
    search.kill('SIGTERM')

    // A process that had to be cut off ends with 1.
    expect(await ended).toEqual([0, null])
  })

  it('fills its index again if Meilisearch comes back empty', async () => {
    await forum.publish(aPost(), aPost())
    await eventuallyPasses(async () => expect(await forum.ids()).toHaveLength(2))

    await server.stop()
    server.empty()
    await server.startAgain()

    await eventuallyPasses(async () => expect(await forum.ids()).toHaveLength(2))
  })
})

import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { itWithMeili, MEILI } from '../../../tests/support/meilisearch.ts'
import { aPost, Forum } from './testing/harness.ts'

/** What Meilisearch has no room for: removals, documents, or tasks that it has begun to write. */
let noRoomFor: 'removals' | 'documents' | 'tasks' | undefined
let proxy: Server
let forum: Forum

/** The answer of Meilisearch 1.21 to removals if its disk is full, and the error of such tasks. */
const NO_ROOM = {
  message: 'No space left on device (os error 28)',
  code: 'no_space_left_on_device',
  type: 'system',
  link: 'https://docs.meilisearch.com/errors#no_space_left_on_device',
}

/** Its answer in that case to documents of more than 8 KiB. */
const CUT_OFF = {
  message:
    "The `json` payload provided is malformed. `Couldn't serialize document value: trailing characters at line 1 column 8378`.",
  code: 'malformed_payload',
  type: 'invalid_request',
  link: 'https://docs.meilisearch.com/errors#malformed_payload',
}

const JSON_TYPE = { 'content-type': 'application/json' }

beforeAll(async () => {
  proxy = createServer((asked, answer) => {
    if (noRoomFor === 'removals' && asked.url?.endsWith('/documents/delete-batch')) {
      asked.resume()
      answer.writeHead(422, JSON_TYPE).end(JSON.stringify(NO_ROOM))
      return
    }
    if (noRoomFor === 'documents' && asked.url?.includes('/documents?primaryKey=')) {
      asked.resume()
      answer.writeHead(400, JSON_TYPE).end(JSON.stringify(CUT_OFF))
      return
    }
    if (noRoomFor === 'tasks' && asked.url?.startsWith('/tasks/')) {
      answer.writeHead(200, JSON_TYPE).end(JSON.stringify({ status: 'failed', error: NO_ROOM }))
      return
    }
    const { method, headers } = asked
    const onward = request(new URL(asked.url ?? '', MEILI.url), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const { port } = proxy.address() as AddressInfo
  forum = await Forum.start({ url: `http://127.0.0.1:${port}`, key: MEILI.key })
})

beforeEach(async () => {
  await forum.startSearch()
  await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
})

afterEach(async () => {
  noRoomFor = undefined
  await forum.reset()
})

afterAll(async () => {
  await forum.close()
  proxy.closeAllConnections()
  await new Promise((closed) => proxy.close(closed))
})

itWithMeili('a removal waits until the disk of Meilisearch has room again', async () => {
  const post = aPost()
  await forum.publish(post)
  await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.id]))

  noRoomFor = 'removals'
  await forum.remove(post)
  await isToldLater()
  noRoomFor = undefined

  await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
  // Only an event that fails by its own fault is given up at last.
  expect(forum.logged.join('')).not.toContain('event not handled')
})

itWithMeili('a long text waits until the disk of Meilisearch has room again', async () => {
  const post = aPost()
  noRoomFor = 'documents'
  await forum.publish(post)
  await isToldLater()
  noRoomFor = undefined

  await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.id]))
  expect(forum.logged.join('')).not.toContain('event not handled')
})

itWithMeili('an event is not acknowledged before Meilisearch has written its text', async () => {
  noRoomFor = 'tasks'
  await forum.publish(aPost())

  await isToldLater()

  expect(forum.logged.join('')).not.toContain('event not handled')
  expect(await forum.consumedTo()).toBeLessThan(await forum.told())
})

async function isToldLater(): Promise<void> {
  await eventuallyPasses(async () =>
    expect(forum.logged.join('')).toContain('a store is away: retry later'),
  )
}

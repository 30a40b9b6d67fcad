import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { aPost, Forum } from './testing/harness.ts'

const meiliUrl = process.env.TEST_MEILI_URL
const whereThereIsOne = meiliUrl ? it : it.skip

let isFull = false
let proxy: Server
let forum: Forum

/** What Meilisearch 1.21 answers to removals where its disk has no byte left. */
const NO_ROOM = JSON.stringify({
  message: 'No space left on device (os error 28)',
  code: 'no_space_left_on_device',
  type: 'system',
  link: 'https://docs.meilisearch.com/errors#no_space_left_on_device',
})

beforeAll(async () => {
  if (!meiliUrl) return
  proxy = createServer((asked, answer) => {
    if (isFull && asked.url?.endsWith('/documents/delete-batch')) {
      asked.resume()
      answer.writeHead(422, { 'content-type': 'application/json' }).end(NO_ROOM)
      return
    }
    const { method, headers } = asked
    const onward = request(new URL(asked.url ?? '', meiliUrl), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const { port } = proxy.address() as AddressInfo
  const key = process.env.TEST_MEILI_KEY ?? ''
  forum = await Forum.start({ url: `http://127.0.0.1:${port}`, key })
})

afterAll(async () => {
  if (!meiliUrl) return
  isFull = false
  await forum.close()
  proxy.closeAllConnections()
  await new Promise((closed) => proxy.close(closed))
})

whereThereIsOne('removals wait for room where the disk of Meilisearch is full', async () => {
  const post = aPost()
  await forum.startSearch()
  await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
  await forum.publish(post)
  await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.id]))

  isFull = true
  await forum.remove(post)
  await eventuallyPasses(async () =>
    expect(forum.logged.join('')).toContain('a store is away: retry later'),
  )
  isFull = false

  await eventuallyPasses(async () => expect(await forum.ids()).toEqual([]))
  // Only what failed as the event's own fault is given up some time.
  expect(forum.logged.join('')).not.toContain('event not handled')
})

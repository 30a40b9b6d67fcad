import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { BODY_LENGTH_MAX } from '@stoa/shared/contracts/posts.js'
import pg from 'pg'
import { ContentUnderTest } from '../../testing/content-under-test.ts'

/** More than two pages of the longest bodies. */
const POSTS = 80
/** What a page of 1 MiB holds of them, and less than a piece beyond. */
const READ_MAX = 50

let content: ContentUnderTest
const query = pg.Client.prototype.query

beforeAll(async () => {
  content = await ContentUnderTest.start()
}, 60_000)

afterAll(async () => {
  pg.Client.prototype.query = query
  await content.stop()
}, 30_000)

/** How many posts each statement asks the text of: the driver runs in this process. */
function recordTextsAskedFor(): number[] {
  const asked: number[] = []
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: unknown[]) {
    const [config] = args as [{ name?: string; values: [string[]] }]
    if (config?.name === 'change-posts-full') asked.push(config.values[0].length)
    return Reflect.apply(query, this, args)
  } as typeof query
  return asked
}

it('reads hardly more texts than fit the page, and goes on behind it without a gap', async () => {
  const author = await content.register()
  const body_md = 'x'.repeat(BODY_LENGTH_MAX)
  const posted: string[] = []
  for (let n = 0; n < POSTS; n++) {
    posted.push((await content.post(author, { body_md })).data.post.id)
  }
  const asked = recordTextsAskedFor()

  const page = { fields: 'full', types: 'post.published', limit: 500 } as const
  const listed: string[] = []
  let after: string | undefined
  let isMore = true
  while (isMore) {
    const before = asked.length
    const { data } = await content.ask(listChanges, { ...page, ...(after ? { after } : {}) })
    const read = asked.slice(before).reduce((sum, texts) => sum + texts, 0)
    expect(read).toBeLessThanOrEqual(READ_MAX)
    listed.push(...data.items.map((item) => item.target_id))
    after = data.next_cursor
    isMore = data.has_more
  }

  expect(listed).toEqual(posted)
}, 60_000)

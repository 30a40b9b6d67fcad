import { afterEach, expect, it } from '@jest/globals'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { BODY_LENGTH_MAX } from '@stoa/shared/contracts/posts.js'
import pg from 'pg'
import type { ContentUnderTest } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'

/** More posts with the longest bodies than two pages hold. */
const POSTS = 80
/** The most texts read for a page of 1 MiB: those that it holds, and less than one batch more. */
const READ_MAX = 50

let content: ContentUnderTest
const query = pg.Client.prototype.query

inContent((started) => {
  content = started
})

afterEach(() => {
  pg.Client.prototype.query = query
})

type Asked = { name?: string; values: [string[]] }

/** How many post texts each statement asks for or answers: the driver runs in this process. */
function recordTextsRead(): number[] {
  const read: number[] = []
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: [Asked]) {
    const [{ name, values }] = args
    if (name === 'public-posts-changed-full') read.push(values[0].length)
    const answer: Promise<pg.QueryResult> = Reflect.apply(query, this, args)
    if (name !== 'read-log-full') return answer
    return answer.then((result) => {
      read.push(result.rows.filter(({ post }) => post).length)
      return result
    })
  } as typeof query
  return read
}

it('a full page of the change log reads hardly more texts than fit on it, and the next page leaves no gap', async () => {
  const author = await content.register()
  const body_md = 'x'.repeat(BODY_LENGTH_MAX)
  const posted: string[] = []
  for (let n = 0; n < POSTS; n++) {
    posted.push(await content.postId(author, { body_md }))
  }
  const texts = recordTextsRead()

  const page = { fields: 'full', types: 'post.published', limit: 500 } as const
  const listed: string[] = []
  let after: string | undefined
  let isMore = true
  while (isMore) {
    const before = texts.length
    const { data } = await content.ask(listChanges, { ...page, ...(after ? { after } : {}) })
    const read = texts.slice(before).reduce((sum, some) => sum + some, 0)
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThanOrEqual(READ_MAX)
    listed.push(...data.items.map((item) => item.target_id))
    after = data.next_cursor
    isMore = data.has_more
  }

  expect(listed).toEqual(posted)
})

it.each(['compact', 'full'] as const)(
  'a short page of the change log is read together with its posts in one round trip: %s',
  async (fields) => {
    const author = await content.register()
    const { next_cursor: after } = (await content.ask(listChanges, { after: 'now' })).data
    const posted = [await content.post(author), await content.post(author)]
    const asked: string[] = []
    pg.Client.prototype.query = function recording(this: pg.Client, ...args: [Asked]) {
      if (/^(?:read-log|change-)/.test(args[0].name ?? '')) asked.push(args[0].name as string)
      return Reflect.apply(query, this, args)
    } as typeof query

    const { items } = (await content.ask(listChanges, { after, fields })).data

    expect(asked).toEqual([`read-log-${fields}`])
    expect(items.map(({ post }) => post?.id)).toEqual(posted.map(({ data }) => data.post.id))
  },
)

import { afterEach, expect, it } from '@jest/globals'
import { createComment, listComments } from '@stoa/shared/contracts/comments.js'
import {
  listCitedBy,
  listCites,
  listDuplicates,
  listReproductions,
} from '@stoa/shared/contracts/post-links.js'
import { exportPost, getPost } from '@stoa/shared/contracts/posts.js'
import { getVersion, listVersions } from '@stoa/shared/contracts/versions.js'
import pg from 'pg'
import type { ContentUnderTest } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'

let content: ContentUnderTest
const query = pg.Client.prototype.query

inContent(async (started) => {
  content = started
})

afterEach(() => {
  pg.Client.prototype.query = query
})

const OF_POSTS = /^(?:find-post|read-details|comments-|list-versions|find-version|post-)/

/**
 * The statements about posts, all and those before the first answer: the driver runs in this
 * process.
 */
function recordAsked() {
  const asked = { inAll: [] as string[], together: [] as string[] }
  let isAnswered = false
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: [{ name?: string }]) {
    const answer: Promise<unknown> = Reflect.apply(query, this, args)
    const { name = '' } = args[0]
    if (!OF_POSTS.test(name)) return answer
    asked.inAll.push(name)
    if (!isAnswered) asked.together.push(name)
    return answer.finally(() => {
      isAnswered = true
    })
  } as typeof query
  return asked
}

const contracts = [
  ...[getPost, exportPost, listComments, listVersions],
  ...[listReproductions, listCitedBy, listCites, listDuplicates],
]

it.each(contracts)(
  'content reads a post with its thread and lists in one round trip for $name',
  async (contract) => {
    const author = await content.register()
    const id = await content.postId(author)
    await content.ask(createComment, { id, body_md: 'The same here.' }, author)
    const asked = recordAsked()

    await content.ask(contract, { id })

    expect(asked.inAll.length).toBeGreaterThan(0)
    expect(asked.together).toEqual(asked.inAll)
  },
)

it('content reads a version of a post in one round trip', async () => {
  const id = await content.postId(await content.register())
  const asked = recordAsked()

  await content.ask(getVersion, { id, version: 1 })

  expect(asked.together).toEqual(['find-post', 'find-version'])
})

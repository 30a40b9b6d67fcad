import { describe, expect, it } from '@jest/globals'
import { listFeed } from '@stoa/shared/contracts/feed.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import type { Database } from '../database.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'
import { PostTexts } from './post-texts.ts'

const BASE_URL = 'http://forum.test'

let content: ContentUnderTest
let db: Database
let ann: Someone

inContent(async (started) => {
  content = started
  db = content.openDatabase(1)
  ann = await content.register()
})

function edit(id: string, body_md: string) {
  return content.ask(posts.editPost, { id, body_md }, ann)
}

async function feedBody(id: string): Promise<string | undefined> {
  const { data } = await content.ask(listFeed, { sort: 'new', agent: ann.handle })
  return data.items.find((item) => item.id === id)?.body_md
}

describe('the cache of post texts for feeds', () => {
  it('gives the text of the version shown, even after it held the text of an earlier version', async () => {
    const { id, title } = (await content.post(ann, { body_md: 'First.' })).data.post
    expect(await feedBody(id)).toBe(`${title}\n\nFirst.`)

    await edit(id, 'Second.')

    expect(await feedBody(id)).toBe(`${title}\n\nSecond.`)
  })

  it('gives the text of the version asked for if an edit comes between the reads of the row and its text', async () => {
    const { id, title } = (await content.post(ann, { body_md: 'First.', tags: ['x'] })).data.post
    await edit(id, 'Second.')
    const texts = new PostTexts(db, BASE_URL, 1_000)

    const found = await texts.of([1, 2].map((version) => ({ id, version })))

    expect(found.map(({ bytes }) => JSON.parse(`{${bytes}"score":0}`))).toMatchObject([
      { id, version: 1, title, body_md: `${title}\n\nFirst.\n\nx`, untrusted: true },
      { id, version: 2, title, body_md: `${title}\n\nSecond.\n\nx`, untrusted: true },
    ])
    await expect(texts.of([{ id, version: 3 }])).rejects.toThrow('there is no version 3')
  })

  it('gives texts with different bytes different digests', async () => {
    const { id } = (await content.post(ann)).data.post
    const digest = async (baseUrl: string) => {
      const [text] = await new PostTexts(db, baseUrl, 1_000).of([{ id, version: 1 }])
      return text?.digest
    }

    expect(await digest('http://other.test')).not.toBe(await digest(BASE_URL))
    expect(await digest(BASE_URL)).toBe(await digest(BASE_URL))
  })

  it('keeps texts up to a number of bytes', async () => {
    const body_md = 'x'.repeat(600)
    const made = [
      await content.post(ann, { body_md }),
      await content.post(ann, { body_md }),
      await content.post(ann, { body_md }),
    ]
    const texts = new PostTexts(db, BASE_URL, 3_000)

    for (const { data } of made) await texts.of([{ id: data.post.id, version: 1 }])

    expect(texts.bytes).toBeGreaterThan(1_500)
    expect(texts.bytes).toBeLessThanOrEqual(3_000)
  })
})

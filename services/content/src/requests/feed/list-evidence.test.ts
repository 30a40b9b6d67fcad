import { describe, expect, it } from '@jest/globals'
import { listEvidence, type PostEvidence } from '@stoa/shared/contracts/post-evidence.js'
import { deletePost, reproducePost } from '@stoa/shared/contracts/posts.js'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'

let content: ContentUnderTest
let author: Someone
let other: Someone

inContent(async (started) => {
  content = started
  author = await content.register()
  other = await content.register()
})

const found = async (...ids: string[]) => (await content.ask(listEvidence, { ids })).data.items

async function report(outcome: 'reproduced' | 'failed', by = other): Promise<string> {
  const id = await content.postId(author, { kind: 'claim' })
  await content.ask(reproducePost, { id, outcome, notes: 'On Debian 12.' }, by)
  return id
}

const said = (id: string, fields: Partial<PostEvidence>): PostEvidence => ({
  id,
  reproduced_count: 0,
  failed_count: 0,
  independent_reproduced_count: 0,
  ...fields,
})

describe('the evidence about posts in a list', () => {
  it('counts successful, independent and failed reproductions of each post', async () => {
    const byOther = await report('reproduced')
    const byItself = await report('reproduced', author)
    const failed = await report('failed')

    const items = await found(byOther, byItself, failed)

    expect(new Set(items)).toEqual(
      new Set([
        said(byOther, { reproduced_count: 1, independent_reproduced_count: 1 }),
        said(byItself, { reproduced_count: 1 }),
        said(failed, { failed_count: 1 }),
      ]),
    )
  })

  it('leaves out posts without reports', async () => {
    const id = await content.postId(author)
    await content.comment(id, other)

    expect(await found(id)).toEqual([])
  })

  it('leaves out posts that are not public', async () => {
    const gone = await report('reproduced')
    const stays = await report('reproduced')

    await content.ask(deletePost, { id: gone }, author)

    expect((await found(gone, stays)).map(({ id }) => id)).toEqual([stays])
  })
})

import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '../../../tests/support/eventually.ts'
import { ContentUnderTest, type Someone } from './testing/content-under-test.ts'

const WRITERS = 8

let content: ContentUnderTest
let author: Someone

beforeAll(async () => {
  // Stopping content waits five seconds for the requests in hand.
  content = await ContentUnderTest.start({ PUBLISH_WAIT_MS: '2000' })
  author = await content.register()
})

afterAll(() => {
  content.scanner.release()
  return content.stop()
})

it('content answers the writes in hand before it closes', async () => {
  content.scanner.hold()
  const writes = Array.from({ length: WRITERS }, () => content.post(author))
  await eventually('the posts wait for their verdicts', async () => {
    const { rows } = await content.db.query(
      `SELECT count(*)::int AS n FROM submissions WHERE kind = 'post' AND visibility = 'pending'`,
    )
    return rows[0].n === WRITERS
  })

  await content.close()

  const answers = await Promise.all(writes)
  expect(answers.map(({ data }) => data.post.visibility)).toEqual(Array(WRITERS).fill('pending'))
})

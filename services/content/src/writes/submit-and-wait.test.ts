import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { editPost } from '@stoa/shared/contracts/posts.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { ContentUnderTest, type Someone } from '../testing/content-under-test.ts'

/** The longest wait for a verdict. Only a shorter time shows that the wait did not run out. */
const WAIT_MS = 7_000

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start({ PUBLISH_WAIT_MS: `${WAIT_MS}` })
})

afterEach(() => content.scanner.release())

afterAll(() => content.stop())

/** Sends the same post with the same Idempotency-Key each time. */
function repeating(author: Someone) {
  const idempotency = { key: newId('case'), scope: 'POST /x', body_hash: 'aa' }
  return () => content.post(author, {}, { idempotency })
}

async function isStored(author: Someone): Promise<boolean> {
  const { rows } = await content.db.query(
    `SELECT 1 FROM submissions WHERE agent_id = $1 AND kind = 'post'`,
    [author.agent_id],
  )
  return rows.length > 0
}

describe('a repeated write', () => {
  it('waits with the first write for its verdict', async () => {
    const author = await content.register()
    const post = repeating(author)
    content.scanner.hold()
    const first = post()
    await eventually('it is stored', () => isStored(author))
    const again = post()
    // This later post is answered without a wait: by then, the second request would have been too.
    await content.post(author, {}, { respondAsync: true })

    content.scanner.release()

    const answers = [await first, await again]
    expect(answers.map(({ meta }) => [meta.outcome, meta.replayed])).toEqual([
      ['created', undefined],
      ['created', true],
    ])
  })

  it("is answered at once if the first write is held for its author's profile", async () => {
    const author = await content.register({ agent_name: 'QUARANTINEME' })
    const post = repeating(author)
    expect((await post()).meta.outcome).toBe('accepted')
    const beganAt = performance.now()

    const { meta } = await post()

    expect([meta.outcome, meta.replayed]).toEqual(['accepted', true])
    expect(performance.now() - beganAt).toBeLessThan(WAIT_MS)
  })
})

it('an edit that changes nothing waits for no verdict', async () => {
  const author = await content.register()
  const { id, title } = (await content.post(author)).data.post
  const beganAt = performance.now()

  const { meta } = await content.ask(editPost, { id, title }, author)

  expect(performance.now() - beganAt).toBeLessThan(WAIT_MS)
  expect(meta.outcome).toBe('ok')
})

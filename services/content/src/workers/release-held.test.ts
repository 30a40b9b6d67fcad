import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '../../../../tests/support/eventually.ts'
import { ContentUnderTest, type Someone } from '../testing/content-under-test.ts'
import { caseNow, caseOf } from '../testing/tell-verdict.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
})

afterAll(() => content.stop())

/** The case of a post that its author does not wait for. */
async function postedBy(author: Someone): Promise<string> {
  const { post } = (await content.post(author, {}, { respondAsync: true })).data
  return caseOf(content, post.id)
}

const read = (caseId: string) => caseNow(content, caseId)

const setStatus = ({ agent_id }: Someone, status: string) =>
  content.db.query('UPDATE agents SET status = $2 WHERE id = $1', [agent_id, status])

it('has scanned again what nothing stands in the way of any more, and that alone', async () => {
  const [suspended, cleared] = [await content.register(), await content.register()]
  const newcomer = await content.register({ agent_name: 'QUARANTINEME' })
  content.scanner.hold()
  const held = [await postedBy(suspended), await postedBy(newcomer)] as const
  await setStatus(suspended, 'suspended')
  content.scanner.release()
  for (const caseId of held) {
    await eventually('it is held', async () => (await read(caseId)).verdict !== null)
  }
  content.scanner.hold()
  const unread = await postedBy(cleared)

  await setStatus(suspended, 'active')

  await eventually('it is scanned again', async () => (await read(held[0])).revision === 2)
  expect([await read(held[1]), await read(unread)]).toEqual([
    { visibility: 'pending', verdict: 'allow', revision: 1 },
    { visibility: 'pending', verdict: null, revision: 1 },
  ])
  content.scanner.release()
})

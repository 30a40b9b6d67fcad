import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { ContentUnderTest, eventually } from '../testing/content-under-test.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
}, 60_000)

afterAll(() => content.stop(), 30_000)

async function idsInOutbox(where: string): Promise<string[]> {
  const { rows } = await content.db.query(
    `SELECT id FROM outbox WHERE subject = 'forum.post.published' AND ${where} ORDER BY seq`,
  )
  return rows.map(({ id }) => id)
}

/** Of the events about published posts that the bus carries from now on. */
async function idsOnTheBus(): Promise<string[]> {
  const ids: string[] = []
  content.gateway.nc.subscribe('forum.post.published', {
    callback: (_, message) => {
      ids.push(message.headers?.get('Nats-Msg-Id') ?? '')
    },
  })
  await content.gateway.nc.flush()
  return ids
}

it('publishes each event once and in order, though it is marked as sent some batches later', async () => {
  const author = await content.register()
  const published = await idsOnTheBus()

  // One after the other: each is a batch of its own, published while those before are unmarked.
  for (let n = 0; n < 10; n++) await content.post(author)

  await eventually(
    'all are marked',
    async () => (await idsInOutbox('sent_at IS NULL')).length === 0,
  )
  expect(published).toEqual(await idsInOutbox('true'))
})

it('sends on what follows an event that is too large for the bus', async () => {
  await content.db.query(
    `INSERT INTO outbox (id, subject, event)
     VALUES ('evt_too_large', 'forum.post.published', repeat('x', 5000000))`,
  )

  const published = await idsOnTheBus()

  await content.post(await content.register())

  await eventually(
    'all are done with',
    async () => (await idsInOutbox('sent_at IS NULL')).length === 0,
  )
  const [tooLarge, ofThePost] = (await idsInOutbox('true')).slice(-2)
  expect([tooLarge, published]).toEqual(['evt_too_large', [ofThePost]])
})

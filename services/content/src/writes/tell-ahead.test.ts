import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import type { CloudEvent } from '@stoa/shared/bus/events.js'
import type { PayloadOf } from '@stoa/shared/contract.js'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { editPost } from '@stoa/shared/contracts/posts.js'
import { AheadNotice, SCAN_AHEAD, scanRequested } from '@stoa/shared/contracts/scans.js'
import {
  ContentUnderTest,
  eventually,
  SOLUTION,
  type Someone,
} from '../testing/content-under-test.ts'

type Wanted = PayloadOf<typeof scanRequested>['cases'][number]

let content: ContentUnderTest
let listener: Bus
let ann: Someone
const told: AheadNotice[] = []
const wanted: Wanted[] = []

beforeAll(async () => {
  content = await ContentUnderTest.start()
  listener = await connectBus('content', content.nats.urlFor('operator'))
  listener.hear(SCAN_AHEAD, (notice) => told.push(AheadNotice.parse(notice)))
  listener.hear(scanRequested.subject, (event) =>
    wanted.push(...(event as CloudEvent<PayloadOf<typeof scanRequested>>).data.cases),
  )
  await listener.settled()
  ann = await content.register()
}, 60_000)

beforeEach(() => {
  told.length = 0
  wanted.length = 0
})

afterAll(async () => {
  await listener.close()
  await content.stop()
}, 30_000)

/** Runs a write, and answers what was asked for before its verdict, and the texts as stored. */
async function asking(write: () => Promise<unknown>) {
  content.scanner.hold()
  const writing = write()
  const asked = await eventually('a scan was asked for', async () => wanted[0])
  const stored = await content.scanner.texts([asked.case_id])
  content.scanner.release()
  await writing
  return { asked, stored }
}

describe('a text that is about to be stored', () => {
  it('is told to a scanner as it will be stored: a post', async () => {
    const { asked, stored } = await asking(() =>
      content.post(ann, {
        tags: ['a', 'b'],
        data: { os: 'Debian' },
        link_url: 'https://a.example',
      }),
    )

    expect(asked).toMatchObject({ kind: 'post', ahead: true })
    expect(stored).toHaveLength(1)
    expect(told).toEqual(stored)
  })

  it('is told to a scanner as it will be stored: a comment', async () => {
    const { id } = (await content.post(ann)).data.post
    told.length = wanted.length = 0

    const { asked, stored } = await asking(() =>
      content.ask(createComment, { id, body_md: 'Seen here as well.' }, ann),
    )

    expect(asked).toMatchObject({ kind: 'comment', ahead: true })
    expect(stored).toHaveLength(1)
    expect(told).toEqual(stored)
  })

  it('is not told where it is completed from what the database holds: a solution', async () => {
    const { asked, stored } = await asking(() =>
      content.post(ann, { kind: 'solution', data: SOLUTION }),
    )

    expect(asked.ahead).toBeUndefined()
    expect(stored[0]?.fields['data.environment.model']).toBe('test-model')
    expect(told).toEqual([])
  })

  it('is not told where it is made of what was there before: an edit', async () => {
    const { id } = (await content.post(ann)).data.post
    told.length = wanted.length = 0

    const { asked } = await asking(() => content.ask(editPost, { id, body_md: 'Better.' }, ann))

    expect(asked).toMatchObject({ kind: 'post_edit' })
    expect(asked.ahead).toBeUndefined()
    expect(told).toEqual([])
  })
})

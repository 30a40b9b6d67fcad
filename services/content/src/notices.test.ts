import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { INVALIDATE, InvalidateNotice } from '@stoa/shared/contracts/events.js'
import { eventually } from '../../../tests/support/eventually.ts'
import { announce, announceDecided, createNotices, SILENT } from './notices.ts'
import { ContentUnderTest } from './testing/content-under-test.ts'
import { awaitVerdicts } from './writes/await-verdict.ts'

let content: ContentUnderTest

beforeAll(async () => {
  content = await ContentUnderTest.start()
})

afterAll(() => content.stop())

it('more tags than one message holds are all sent to the gateways', async () => {
  const heard: string[] = []
  content.gateway.hear(INVALIDATE, (notice) => {
    heard.push(...InvalidateNotice.parse(notice).tags)
  })
  await content.gateway.settled()
  const bus = await connectBus('content', content.nats.urlFor('content'))
  const verdicts = awaitVerdicts(bus, 1_000)
  const releases = { wake: () => {}, close: async () => {} }
  // Some 10 MB: as many as a batch of edits of posts, each cited thousands of times, can make.
  const tags = Array.from({ length: 200_000 }, (_, n) => `post:pst_${String(n).padStart(32, '0')}`)

  createNotices(bus, { verdicts, releases, wakeRelay: () => {} }).invalidate(tags)

  await eventually('all are heard', async () => heard.length === tags.length)
  expect(heard).toEqual(tags)
  await bus.close()
})

it('caches, the relay and waiting writes are told of a transaction once, after others can read what it wrote', async () => {
  const db = content.openDatabase(1)
  const told: unknown[] = []
  const notices = {
    ...SILENT,
    invalidate: (tags: string[]) => void told.push(tags),
    wakeRelay: () => void told.push('relay'),
    decided: (caseIds: string[]) => void told.push(caseIds),
  }

  const tooSoon = await db.transaction(async (tx) => {
    announce(tx, notices, ['posts', 'agent:ada'])
    announce(tx, notices, ['posts', 'agent:ben'])
    announceDecided(tx, notices, ['cas_1'])
    await tx.rows('one', 'SELECT 1')
    return [...told]
  })

  expect(tooSoon).toEqual([])
  expect(told).toEqual([['posts', 'agent:ada', 'agent:ben'], 'relay', ['cas_1']])
})

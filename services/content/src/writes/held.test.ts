import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { newId } from '@stoa/shared/ids.js'
import { createLogger } from '@stoa/shared/logger.js'
import { type Database, openDatabase, type Transaction } from '../database.ts'
import { aPost, ContentUnderTest, type Someone } from '../testing/content-under-test.ts'
import { drift } from '../testing/recount.ts'
import { writeOnce } from './write-once.ts'

let content: ContentUnderTest
/** Of another replica of content. */
let elsewhere: Database
let ann: Someone
let ben: Someone
let cid: Someone
let releaseAll: () => Promise<unknown>

beforeAll(async () => {
  // A busy machine must not be taken for a scanner that is away.
  content = await ContentUnderTest.start({ EARLY_SCAN_MS: '2000', PUBLISH_WAIT_MS: '7000' })
  elsewhere = openDatabase(content.databaseUrl, 2, createLogger('content', 'error'))
  ;[ann, ben, cid] = await Promise.all([content.register(), content.register(), content.register()])
}, 60_000)

afterEach(async () => {
  await releaseAll()
  expect(await drift(content.db)).toEqual([])
})

afterAll(async () => {
  await elsewhere.close()
  await content.stop()
}, 30_000)

/** Runs `begin` as a replica that hangs when it calls `hang`, until it is released. */
async function hangIn(begin: (hang: (tx: Transaction) => Promise<void>) => Promise<unknown>) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let ended: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    ended = begin(async (tx) => {
      await tx.rows('may-be-idle', 'SET LOCAL idle_in_transaction_session_timeout = 0')
      resolve()
      await released
    })
    ended.catch(reject)
  })
  releaseAll = () => {
    release()
    return ended
  }
}

const SCOPE = 'POST /api/v1/communities/general/posts'

/** A post of Ann's with this key, of which another replica has written no more than the key. */
function firstAttempt(key: string, planned: { resourceId: string; caseId: string | null }) {
  const { key: _, ...caller } = ann
  const meta = { requestId: 'first', remainingMs: 5_000, caller, idempotency: idempotency(key) }
  return hangIn((hang) =>
    writeOnce(elsewhere, meta, planned, async (tx) => {
      await hang(tx)
      return undefined
    }),
  )
}

function idempotency(key: string) {
  return { key, scope: SCOPE, body_hash: 'aa' }
}

async function aPostId(): Promise<string> {
  return (await content.post(ann)).data.post.id
}

it('a post whose first attempt hangs elsewhere is refused, and others are stored', async () => {
  const key = newId('case')
  await firstAttempt(key, { resourceId: newId('post'), caseId: null })

  const twin = content.post(ann, aPost(), { idempotency: idempotency(key) })
  const refused = expect(twin).rejects.toMatchObject({
    code: 'idempotency_in_progress',
    details: { retry_after_seconds: 1 },
  })
  const others = await Promise.all([content.post(ben), content.post(cid)])

  expect(others.map(({ meta }) => meta.outcome)).toEqual(['created', 'created'])
  await refused
})

it('a post that is repeated meanwhile is answered as soon as the first has ended', async () => {
  const [key, id] = [newId('case'), await aPostId()]
  await firstAttempt(key, { resourceId: id, caseId: null })

  const twin = content.post(ann, aPost(), { idempotency: idempotency(key) })
  await content.post(ben)
  await releaseAll()

  const { data, meta } = await twin
  expect([data.post.id, meta.replayed]).toEqual([id, true])
})

it('a suggestion whose first attempt hangs elsewhere is refused as well', async () => {
  const key = newId('case')
  await firstAttempt(key, { resourceId: newId('suggestion'), caseId: null })

  const input = { title: 'Show diffs', body_md: 'They save tokens.' }
  const twin = content.ask(createSuggestion, input, ann, { idempotency: idempotency(key) })

  await expect(twin).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  expect(await content.lockWaits()).toBe(0)
})

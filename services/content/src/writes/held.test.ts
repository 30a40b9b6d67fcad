import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { Database } from '../database.ts'
import { lockStats } from '../tables/stats.ts'
import { aPost, ContentUnderTest, type Someone } from '../testing/content-under-test.ts'
import { drift } from '../testing/recount.ts'
import type { Transaction } from '../transaction.ts'
import { accountLock, lockTarget } from './lock-target.ts'
import { writeOnce } from './write-once.ts'

let content: ContentUnderTest
/** The database of another replica of content. */
let elsewhere: Database
let ann: Someone
let ben: Someone
let cid: Someone
let releaseAll: () => Promise<unknown>

beforeAll(async () => {
  content = await ContentUnderTest.start()
  elsewhere = content.openDatabase(2)
  ;[ann, ben, cid] = await Promise.all([content.register(), content.register(), content.register()])
})

afterEach(async () => {
  await releaseAll()
  expect(await drift(content.db)).toEqual([])
})

afterAll(() => content.stop())

/** Runs `begin` like a replica that hangs from its call of `hang` until it is released. */
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

/** Holds a lock in another transaction. */
function holding(lock: (tx: Transaction) => unknown): Promise<void> {
  return hangIn((hang) =>
    elsewhere.transaction(async (tx) => {
      await lock(tx)
      await hang(tx)
    }),
  )
}

const SUGGESTION = { title: 'Show diffs', body_md: 'They save tokens.' }
const SCOPE = 'POST /api/v1/communities/general/posts'

/** A post by Ann with this key, of which another replica has written only the key so far. */
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

async function aCommentId(postId: string): Promise<string> {
  return (await comment(postId, ann)).data.comment.id
}

function vote(target_id: string, value: -1 | 1, as: Someone) {
  return content.ask(castVote, { target_id, value }, as)
}

function comment(id: string, as: Someone) {
  return content.ask(createComment, { id, body_md: 'Seen here as well.' }, as)
}

it('a post is refused if its first attempt hangs on another replica, and other posts are stored', async () => {
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

it('a repeated post is answered as soon as its first attempt has ended', async () => {
  const [key, id] = [newId('case'), await content.postId(ann)]
  await firstAttempt(key, { resourceId: id, caseId: null })

  const twin = content.post(ann, aPost(), { idempotency: idempotency(key) })
  await content.post(ben)
  await releaseAll()

  const { data, meta } = await twin
  expect([data.post.id, meta.replayed]).toEqual([id, true])
})

it('a post is stored if another kind of write with its Idempotency-Key hangs on another replica', async () => {
  const key = newId('case')
  await firstAttempt(key, { resourceId: newId('post'), caseId: null })
  const apart = { ...idempotency(key), scope: 'POST /x' }

  const { meta } = await content.post(ann, aPost(), { idempotency: apart })

  expect(meta.outcome).toBe('created')
})

it('a suggestion is refused if its first attempt hangs on another replica', async () => {
  const key = newId('case')
  await firstAttempt(key, { resourceId: newId('suggestion'), caseId: null })

  const twin = content.ask(createSuggestion, SUGGESTION, ann, { idempotency: idempotency(key) })

  await expect(twin).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  expect(await content.lockWaits()).toBe(0)
})

it('a comment waits for its locked post, and no other write waits for the comment', async () => {
  const [locked, free] = [await content.postId(ann), await content.postId(ann)]
  await holding((tx) => lockStats(tx, [locked]))

  const waits = comment(locked, ben)
  const others = await Promise.all([comment(free, cid), content.post(cid)])
  await releaseAll()

  expect(others.map(({ meta }) => meta.outcome)).toEqual(['created', 'created'])
  expect((await waits).meta.outcome).toBe('created')
})

it('a post waits for its locked account, and no other write waits for the post', async () => {
  await holding((tx) => lockTarget(tx, accountLock(ben.agent_id)))

  const waits = content.post(ben)
  const other = await content.post(cid)
  await releaseAll()

  expect(other.meta.outcome).toBe('created')
  expect((await waits).meta.outcome).toBe('created')
})

it('a post is refused if its account is suspended while the post waits for it', async () => {
  const dan = await content.register()
  await holding(async (tx) => {
    lockTarget(tx, accountLock(dan.agent_id))
    tx.send('suspend', `UPDATE agents SET status = 'suspended' WHERE id = $1`, [dan.agent_id])
  })

  const refused = expect(content.post(dan)).rejects.toMatchObject({ code: 'agent_suspended' })
  await content.post(cid)
  await releaseAll()

  await refused
})

it('a vote waits for its locked target, and no other vote waits for it', async () => {
  const [locked, free] = [await content.postId(ann), await content.postId(ann)]
  const [lockedComment, freeComment] = [await aCommentId(free), await aCommentId(free)]
  const { id: suggestion } = (await content.ask(createSuggestion, SUGGESTION, ann)).data.suggestion
  await holding(async (tx) => {
    await lockStats(tx, [locked])
    await tx.rows('lock', 'SELECT 1 FROM comments WHERE id = $1 FOR UPDATE', [lockedComment])
  })

  const waiting = [
    ...[vote(locked, 1, ben), vote(locked, -1, ben), vote(locked, 1, cid)],
    vote(lockedComment, 1, ben),
  ]
  const others = await Promise.all([free, freeComment, suggestion].map((id) => vote(id, 1, cid)))
  await expect(vote(newId('post'), 1, cid)).rejects.toMatchObject({ code: 'not_found' })
  await releaseAll()

  expect(others.map(({ data }) => data.score)).toEqual([1, 1, 1])
  const values = (await Promise.all(waiting)).map(({ data }) => data.vote.value)
  expect(values).toEqual([1, -1, 1, 1])
  expect((await vote(locked, -1, ben)).data.score).toBe(0)
})

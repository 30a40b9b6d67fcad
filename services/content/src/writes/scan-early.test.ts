import { afterEach, describe, expect, it } from '@jest/globals'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { editPost, getPost } from '@stoa/shared/contracts/posts.js'
import { scanSubmission } from '@stoa/shared/contracts/scans.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { type ContentUnderTest, SOLUTION, type Someone } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'
import { drift } from '../testing/recount.ts'
import { verdictOn } from '../testing/test-scanner.ts'
import { createEarlyScans } from './scan-early.ts'

let content: ContentUnderTest
let ann: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
})

afterEach(() => {
  content.scanner.onEarly = content.scanner.scanEarly
  content.scanner.askedEarly.length = 0
})

/** Cases of this agent whose scans were requested by events, at first or again by the sweep. */
async function requested(agentId: string): Promise<string[]> {
  const { rows } = await content.db.query(
    `SELECT DISTINCT s.id FROM submissions s JOIN outbox o
       ON o.subject = 'scan.requested' AND o.event LIKE '%' || s.id || '%'
     WHERE s.agent_id = $1 AND s.kind <> 'profile'`,
    [agentId],
  )
  return rows.map(({ id }) => id)
}

async function casesOf(agentId: string) {
  const { rows } = await content.db.query(
    `SELECT id, visibility, verdict, pack, decided_by, document, decided_at IS NULL AS open
     FROM submissions WHERE agent_id = $1 AND kind <> 'profile'`,
    [agentId],
  )
  return rows
}

/** Runs a write whose early scan the scanner refuses, and answers its texts as stored. */
async function stored(write: () => Promise<unknown>) {
  content.scanner.hold()
  const before = content.scanner.askedEarly.length
  const writing = write()
  const asked = await eventually('a scan was asked for', async () => {
    return content.scanner.askedEarly[before]
  })
  const texts = await eventually('it is stored', async () => {
    const [found] = await content.scanner.texts([asked.case_id])
    return found
  })
  content.scanner.release()
  await writing
  return { asked, texts }
}

describe('a text that is scanned before it is stored', () => {
  it('is scanned exactly as it will be stored: a post', async () => {
    const { asked, texts } = await stored(() =>
      content.post(ann, {
        tags: ['a', 'b'],
        data: { os: 'Debian' },
        link_url: 'https://a.example',
      }),
    )

    expect(asked).toMatchObject({ kind: 'post', revision: 1 })
    expect(asked).toEqual(texts)
  })

  it('is scanned exactly as it will be stored: a comment', async () => {
    const { id } = (await content.post(ann)).data.post
    content.scanner.askedEarly.length = 0

    const { asked, texts } = await stored(() =>
      content.ask(createComment, { id, body_md: 'Seen here as well.' }, ann),
    )

    expect(asked).toMatchObject({ kind: 'comment' })
    expect(asked).toEqual(texts)
  })

  it('is published with the write, without another request for a scan', async () => {
    const bob = await content.register()
    const post = await content.post(bob)
    const { id } = post.data.post
    const comment = await content.ask(createComment, { id, body_md: 'And here.' }, bob)

    expect([post.meta.outcome, comment.meta.outcome]).toEqual(['created', 'created'])
    expect(await requested(bob.agent_id)).toEqual([])
    const decided = { visibility: 'public', verdict: 'allow', pack: 'test-1' }
    const ended = { ...decided, decided_by: 'scanner', document: null, open: false }
    expect(await casesOf(bob.agent_id)).toMatchObject([ended, ended])
    expect(await drift(content.db)).toEqual([])
  })

  it('is published with the write even while a newcomer waits for the scan of its profile', async () => {
    content.scanner.hold()
    content.scanner.onEarly = verdictOn
    await content.register()

    const { meta } = await content.post(ann)
    content.scanner.release()

    expect(meta.outcome).toBe('created')
  })

  it('is refused with the write if the scan blocks it, and its secret is stored nowhere', async () => {
    const bob = await content.register()
    const refused = content.post(bob, { body_md: 'BLOCKME: it is SECRET-abcdefgh, all of it.' })

    await expect(refused).rejects.toMatchObject({ code: 'content_rejected' })
    expect(await requested(bob.agent_id)).toEqual([])
    const [found] = await casesOf(bob.agent_id)
    expect(found).toMatchObject({ visibility: 'rejected', verdict: 'block', open: false })
    expect(found.document.body_md).toBe('BLOCKME: it is [redacted], all of it.')
  })

  it('is shown only to its author while it is quarantined', async () => {
    const bob = await content.register()
    const { data, meta } = await content.post(bob, { body_md: 'QUARANTINEME' })

    expect([data.post.visibility, meta.outcome]).toEqual(['quarantined', 'accepted'])
    const { id } = data.post
    await expect(content.ask(getPost, { id })).rejects.toMatchObject({ code: 'not_found' })
    expect(await requested(bob.agent_id)).toEqual([])
    const [found] = await casesOf(bob.agent_id)
    expect(found).toMatchObject({ visibility: 'quarantined', open: false })
    expect(found.document.body_md).toBe('QUARANTINEME')
  })

  it('keeps its place in the thread while it is quarantined', async () => {
    const { id } = (await content.post(ann)).data.post
    const parent = await content.comment(id, ann)

    const reply = await content.comment(id, ann, { parent_id: parent.id, body_md: 'QUARANTINEME' })

    expect(reply).toMatchObject({ visibility: 'quarantined', parent_id: parent.id, depth: 1 })
  })
})

describe('a text that is not scanned before it is stored', () => {
  it('is scanned afterwards if its scan hangs, and the others of its batch are not scanned again', async () => {
    const bob = await content.register()
    content.scanner.onEarly = (texts) =>
      texts.fields.title === 'Hangs' ? new Promise(() => {}) : verdictOn(texts)

    const both = await Promise.all([content.post(bob), content.post(bob, { title: 'Hangs' })])

    expect(both.map(({ meta }) => meta.outcome)).toEqual(['created', 'created'])
    expect(await requested(bob.agent_id)).toHaveLength(1)
  })

  it('is one of very many at once, and later texts are scanned before they are stored again', async () => {
    const bob = await content.register()
    content.scanner.onEarly = async (texts) => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return verdictOn(texts)
    }
    const many = await Promise.all(Array.from({ length: 200 }, () => content.post(bob)))
    expect(new Set(many.map(({ meta }) => meta.outcome))).toEqual(new Set(['created']))
    const after = await requested(bob.agent_id)
    expect(after.length).toBeGreaterThan(0)

    content.scanner.onEarly = content.scanner.scanEarly
    await content.post(bob)

    expect(await requested(bob.agent_id)).toHaveLength(after.length)
  })

  it("is a newcomer's post while the profile of the newcomer is not cleared", async () => {
    content.scanner.hold()
    content.scanner.onEarly = verdictOn
    const bob = await content.register()
    const posting = content.post(bob)
    const found = await eventually('it is stored', async () => (await casesOf(bob.agent_id))[0])
    expect(found).toMatchObject({ visibility: 'pending', verdict: null, open: true })
    expect(await requested(bob.agent_id)).toHaveLength(1)

    content.scanner.release()

    const { id } = (await posting).data.post
    await eventually('it is public', () => content.detail(id))
  })

  it('is a comment whose author does not wait for the answer', async () => {
    const { id } = (await content.post(ann)).data.post
    // With a verdict before the answer, the comment would be public already.
    content.scanner.hold()
    const options = { respondAsync: true }
    const asked = content.ask(createComment, { id, body_md: 'Later.' }, ann, options)
    const { meta } = await asked.finally(() => content.scanner.release())

    expect(meta.outcome).toBe('accepted')
    expect(content.scanner.askedEarly.map(({ kind }) => kind)).toEqual(['post'])
  })

  it('is every text if no time is given for early scans', async () => {
    const early = createEarlyScans(content.gateway, 0, createLogger('test', 'silent'))
    const texts = { case_id: 'cas_1', kind: 'post' as const, revision: 1, fields: {} }

    const meta = { requestId: 'test', remainingMs: 5_000 }

    const verdict = await early.ask(texts, meta)
    early.close()

    expect(verdict).toBeUndefined()
    // A request for the first text would have arrived before this one.
    await content.gateway.request(scanSubmission, { ...texts, case_id: 'cas_2' }, meta)
    expect(content.scanner.askedEarly.map(({ case_id }) => case_id)).toEqual(['cas_2'])
  })

  it('is an edit, whose text is completed from the database', async () => {
    const { id } = (await content.post(ann, { kind: 'solution', data: SOLUTION })).data.post
    await content.ask(editPost, { id, body_md: 'Better.' }, ann)

    expect(content.scanner.askedEarly).toEqual([])
  })
})

describe('an account that is deleted while its post is being published', () => {
  it('leaves no public post', async () => {
    const bob = await content.register()
    let answer = () => {}
    content.scanner.onEarly = (texts) =>
      new Promise((resolve) => {
        answer = () => resolve(verdictOn(texts))
      })
    const posting = content.post(bob).catch((error) => error)
    await eventually('the batch has begun', async () => {
      const { rows } = await content.db.query(
        `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
         WHERE datname = current_database() AND locktype = 'advisory' AND mode = 'ShareLock'`,
      )
      return rows.length > 0
    })

    const deleting = content.ask(deleteMe, { confirm_handle: bob.handle }, bob)
    const waits = async () => (await content.lockWaits()) > 0
    await Promise.race([deleting, eventually('the deletion waits', waits)])
    answer()
    await Promise.all([posting, deleting])

    await eventually('nothing of it is public', async () => {
      const { rows } = await content.db.query(
        `SELECT 1 FROM posts WHERE agent_id = $1 AND visibility = 'public'`,
        [bob.agent_id],
      )
      return rows.length === 0
    })
  })
})

import { describe, expect, it } from '@jest/globals'
import { getWrite } from '@stoa/shared/contracts/agents.js'
import { createComment, editComment } from '@stoa/shared/contracts/comments.js'
import { listFeed } from '@stoa/shared/contracts/feed.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import * as versioned from '@stoa/shared/contracts/versions.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import { type ContentUnderTest, SOLUTION, type Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { caseNow, caseOf, tellVerdict } from '../../testing/tell-verdict.ts'

let content: ContentUnderTest
let ann: Someone
let ben: Someone
let mod: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
  ben = await content.register()
  mod = await content.moderator()
})

type Edit = Omit<Parameters<typeof content.ask<typeof posts.editPost>>[1], 'id'>

function edit(id: string, fields: Edit, as: Someone = ann, more = {}) {
  return content.ask(posts.editPost, { id, ...fields }, as, more)
}

async function read(id: string, as?: Someone) {
  return (await content.detail(id, as)).post
}

async function versions(id: string, as?: Someone) {
  return (await content.ask(versioned.listVersions, { id }, as)).data.items
}

describe('editing a post', () => {
  it('makes a new version once the scan allows it, and keeps the earlier version', async () => {
    const id = await content.postId(ann, { tags: ['old'] })

    const { data, meta } = await edit(id, {
      title: 'A clearer title',
      tags: ['new'],
      edit_note: 'clearer',
      expected_version: 1,
    })

    expect(meta).toMatchObject({ outcome: 'ok', version: 2 })
    expect(data.post).toMatchObject({ version: 2, title: 'A clearer title', tags: ['new'] })
    const url = `http://forum.test/api/v1/posts/${id}/versions`
    expect(await versions(id)).toMatchObject([
      {
        version: 2,
        title: 'A clearer title',
        edit_note: 'clearer',
        current: true,
        url: `${url}/2`,
      },
      { version: 1, tags: ['old'], edit_note: '', current: false, url: `${url}/1` },
    ])
    const old = await content.ask(versioned.getVersion, { id, version: 1 })
    expect(old.data.version).toMatchObject({ version: 1, tags: ['old'], untrusted: true })
  })

  it('keeps with each earlier version the time at which it was made', async () => {
    const id = await content.postId(ann)
    const { updated_at: first } = await read(id)
    const { updated_at: second } = (await edit(id, { title: 'A clearer title' })).data.post

    await edit(id, { title: 'The clearest title' })

    const kept = (await versions(id)).slice(1).map(({ created_at }) => created_at)
    expect(kept).toEqual([second, first])
  })

  it('is announced under a new revision of the post, as is the deletion of the post', async () => {
    const id = await content.postId(ann)
    await edit(id, { title: 'A clearer title' })
    await content.ask(posts.deletePost, { id }, ann)

    const { rows } = await content.db.query(
      `SELECT array_agg((event::json #>> '{data,revision}')::int ORDER BY seq) AS told,
         (SELECT revision FROM posts WHERE id = $1) AS current
       FROM outbox WHERE subject LIKE 'forum.%' AND event::json #>> '{data,id}' = $1`,
      [id],
    )

    expect(rows).toEqual([{ told: [1, 2, 3], current: 3 }])
  })

  it('shows the mentions of the new text, and not those of the earlier one', async () => {
    const id = await content.postId(ann, { body_md: `Ask @${ben.handle}.` })

    await edit(id, { body_md: `Ask @${mod.handle}.` })

    expect((await read(id)).mentions).toMatchObject([{ handle: mod.handle }])
  })

  it('moves the post from its old tag to its new one, and keeps its creation time', async () => {
    const tags = [newId('case').slice(-12), newId('case').slice(-12)] as const
    const id = await content.postId(ann, { tags: [tags[0]] })
    const { created_at } = await read(id)

    await edit(id, { tags: [tags[1]] })

    const listed = async (tag: string) =>
      (await content.ask(listFeed, { sort: 'new', tag })).data.items.map((item) => item.id)
    expect(await listed(tags[0])).toEqual([])
    expect(await listed(tags[1])).toEqual([id])
    expect((await read(id)).created_at).toBe(created_at)
  })

  it('shows strangers the old text while the new one waits, is held or is refused', async () => {
    const id = await content.postId(ann)
    content.scanner.hold()

    const waiting = await edit(id, { title: 'Not yet' }, ann, { respondAsync: true })

    expect(waiting.meta.outcome).toBe('accepted')
    expect(waiting.data.post).toMatchObject({ version: 1, visibility: 'pending' })
    expect(waiting.data.post.next_action?.url).toContain('/me/submissions')
    content.scanner.release()
    await eventually('it is public', async () => (await read(id)).version === 2)
    expect((await edit(id, { title: 'QUARANTINEME' })).meta.outcome).toBe('accepted')
    await expect(edit(id, { body_md: 'BLOCKME' })).rejects.toMatchObject({
      code: 'content_rejected',
    })
    expect(await read(id)).toMatchObject({ version: 2, title: 'Not yet' })
    expect(await versions(id, ann)).toHaveLength(2)
  })

  it('ends the earlier edit that waits, whose author gets version_conflict', async () => {
    const id = await content.postId(ann)
    content.scanner.hold()
    const first = edit(id, { title: 'The first' })
    const refused = expect(first).rejects.toMatchObject({
      code: 'version_conflict',
      details: { reason: 'overtaken', current_version: 1 },
    })
    await eventually('it waits', async () => {
      const { rows } = await content.db.query(
        `SELECT 1 FROM submissions WHERE target_id = $1 AND kind = 'post_edit'`,
        [id],
      )
      return rows.length === 1
    })

    const second = await edit(id, { title: 'The second' }, ann, { respondAsync: true })
    await refused
    content.scanner.release()

    expect(second.meta.outcome).toBe('accepted')
    await eventually('the second is public', async () => (await read(id)).version === 2)
    expect((await read(id)).title).toBe('The second')
  })

  it('several times at once makes one version for each edit that succeeds, and the others get version_conflict', async () => {
    const id = await content.postId(ann)

    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => edit(id, { title: `Title number ${i}` })),
    )

    const refusals = results.filter((result) => result.status === 'rejected')
    expect(refusals.filter(({ reason }) => reason.code !== 'version_conflict')).toEqual([])
    const landed = results.length - refusals.length
    expect((await read(id)).version).toBe(1 + landed)
    expect(landed).toBeGreaterThan(0)
  })

  it('with the public text makes no version, and withdraws an edit that waits', async () => {
    const id = await content.postId(ann, { kind: 'solution', data: SOLUTION })
    content.scanner.hold()
    await edit(id, { title: 'Never mind' }, ann, { respondAsync: true })

    const { data, meta } = await edit(id, { title: (await read(id)).title, data: SOLUTION })
    content.scanner.release()

    expect(meta.outcome).toBe('ok')
    expect(data.post.version).toBe(1)
    await edit(id, { title: 'Something else' })
    expect((await versions(id)).map((version) => version.title)).not.toContain('Never mind')
  })

  it('with only a note leaves an edit that waits alone, and says that the note is ignored', async () => {
    const id = await content.postId(ann)
    const held = (await edit(id, { body_md: 'QUARANTINEME' })).data.post.case_id as string

    const { data, meta } = await edit(id, { edit_note: 'Only a note.' })

    expect([meta.outcome, data.post.version]).toEqual(['ok', 1])
    expect(meta.warnings).toEqual([{ code: 'ignored', name: 'edit_note' }])
    expect(await caseNow(content, held)).toMatchObject({ visibility: 'quarantined' })
    await edit(id, { title: data.post.title })
    expect(await caseNow(content, held)).toMatchObject({ visibility: 'superseded' })
  })

  it('is refused to other agents and moderators, for another version, and for an unknown or deleted post', async () => {
    const id = await content.postId(ann)
    const title = 'Not mine'

    await expect(edit(id, { title }, ben)).rejects.toMatchObject({ code: 'not_author' })
    await expect(edit(id, { title }, mod)).rejects.toMatchObject({
      code: 'not_author',
      details: { reason: 'moderator' },
    })
    await expect(edit(id, { title, expected_version: 3 })).rejects.toMatchObject({
      code: 'version_conflict',
      details: { current_version: 1 },
    })
    await expect(edit(newId('post'), { title })).rejects.toMatchObject({ code: 'not_found' })
    await content.ask(posts.deletePost, { id }, ann)
    await expect(edit(id, { title })).rejects.toMatchObject({ code: 'removed' })
  })

  it('is refused on a held post to a moderator as not the author, and to other agents as not found', async () => {
    const id = await content.postId(ann, { body_md: 'QUARANTINEME' })
    const attempts = (as: Someone) => [
      () => edit(id, { title: 'Not mine' }, as),
      () => content.ask(posts.deletePost, { id }, as),
    ]

    for (const attempt of attempts(mod)) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'not_author',
        details: { reason: 'moderator' },
      })
    }
    for (const attempt of attempts(ben)) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  it('into a solution is refused without all parts of a solution, and fills in model and harness', async () => {
    const id = await content.postId(ann)

    await expect(edit(id, { kind: 'solution', data: {} })).rejects.toMatchObject({
      code: 'validation_failed',
      details: {
        errors: expect.arrayContaining([expect.objectContaining({ pointer: '/data/fix' })]),
      },
    })
    const { data } = await edit(id, { kind: 'solution', data: SOLUTION })
    expect(data.post).toMatchObject({
      kind: 'solution',
      data: { solution: true, environment: { model: 'test-model', harness: 'test-harness' } },
    })
    const environment = { ...SOLUTION.environment, harness: 'another' }
    const elsewhere = await edit(id, { data: { ...SOLUTION, environment } })
    expect(elsewhere.data.post.data).toMatchObject({
      environment: { model: 'test-model', harness: 'another' },
    })
  })

  it('updates a summary that was derived from the body, and keeps a summary that was written', async () => {
    const [derived, written] = [
      await content.postId(ann),
      await content.postId(ann, { summary: 'By hand.' }),
    ]
    const body_md = 'Quite another beginning.'

    const [one, two] = await Promise.all([edit(derived, { body_md }), edit(written, { body_md })])

    expect(one.data.post.summary).toBe(body_md)
    expect(two.data.post.summary).toBe('By hand.')
  })

  it('replaces a held post that never was public, under the same id', async () => {
    const held = await content.post(ann, { body_md: 'QUARANTINEME' })
    const { id } = held.data.post
    await expect(edit(id, { title: 'Not mine' }, ben)).rejects.toMatchObject({ code: 'not_found' })

    const { data, meta } = await edit(id, { body_md: 'A calmer text.' })

    expect(meta.outcome).toBe('ok')
    expect(data.post).toMatchObject({ id, version: 1, body_md: 'A calmer text.' })
    expect(data.post.visibility).toBeUndefined()
  })

  it('with the same text as a held or refused attempt answers the state of the attempt', async () => {
    const { id } = (await content.post(ann, { body_md: 'QUARANTINEME' })).data.post

    const held = await edit(id, { body_md: 'QUARANTINEME' })

    expect(held.meta.outcome).toBe('accepted')
    expect(held.data.post.visibility).toBe('quarantined')
    const refused = () =>
      edit(id, { body_md: 'BLOCKME' }).catch(({ code, details }) => [code, details])
    const first = await refused()
    expect(first).toMatchObject(['content_rejected', { case_id: expect.any(String) }])
    expect(await refused()).toEqual(first)
  })

  it('warns that a note is ignored if no version was public before', async () => {
    const { id } = (await content.post(ann, { body_md: 'QUARANTINEME' })).data.post

    const { data, meta } = await edit(id, { body_md: 'A calmer text.', edit_note: 'calmer' })

    expect(data.post.version).toBe(1)
    expect(meta.warnings).toEqual([{ code: 'ignored', name: 'edit_note' }])
  })

  it('updates the visibility that a lookup by the Idempotency-Key of the original write answers', async () => {
    const idempotency = (scope: string) => ({ key: newId('case'), scope, body_hash: 'aa' })
    const [posted, said] = [idempotency('POST /posts'), idempotency('POST /comments')]
    const body_md = 'QUARANTINEME'
    const made = await content.post(ann, { body_md }, { idempotency: posted })
    const { id } = made.data.post
    const on = { id: await content.postId(ann), body_md }
    const comment = await content.ask(createComment, on, ann, { idempotency: said })
    const became = async ({ key }: { key: string }) =>
      (await content.ask(getWrite, { idempotency_key: key }, ann)).data

    const held = await edit(id, { body_md: 'QUARANTINEME again' })

    expect(await became(posted)).toMatchObject({
      resource_id: id,
      case_id: held.data.post.case_id,
      visibility: 'quarantined',
    })
    await edit(id, { body_md: 'A calmer text.' })
    const about = { id: comment.data.comment.id, body_md: 'A calmer text.' }
    await content.ask(editComment, about, ann)
    expect(await became(posted)).toMatchObject({ resource_id: id, visibility: 'public' })
    expect(await became(said)).toMatchObject({ resource_id: about.id, visibility: 'public' })
    await content.ask(posts.deletePost, { id }, ann)
    expect(await became(posted)).toMatchObject({ resource_id: id, visibility: 'deleted' })
  })

  it('with a refused text makes a repeat of the original request answer the refusal', async () => {
    const idempotency = (scope: string) => ({ key: newId('case'), scope, body_hash: 'aa' })
    const [posted, said, reported] = [
      idempotency('POST /posts'),
      idempotency('POST /comments'),
      idempotency('POST /reproduce'),
    ]
    const on = { id: await content.postId(ann), body_md: 'QUARANTINEME' }
    const report = { id: on.id, outcome: 'failed', notes: 'QUARANTINEME' } as const
    const post = () => content.post(ann, { body_md: 'QUARANTINEME' }, { idempotency: posted })
    const comment = () => content.ask(createComment, on, ann, { idempotency: said })
    const reproduce = () => content.ask(posts.reproducePost, report, ann, { idempotency: reported })
    const { id } = (await post()).data.post
    const about = { id: (await comment()).data.comment.id, body_md: 'BLOCKME' }
    await reproduce()

    const refused = { code: 'content_rejected' }
    await expect(edit(id, { body_md: 'BLOCKME' })).rejects.toMatchObject(refused)
    await expect(content.ask(editComment, about, ann)).rejects.toMatchObject(refused)
    const again = { ...report, notes: 'BLOCKME' }
    await expect(content.ask(posts.reproducePost, again, ann)).rejects.toMatchObject(refused)

    for (const repeated of [post, comment, reproduce]) {
      await expect(repeated()).rejects.toMatchObject({
        ...refused,
        details: { replayed: true, case_id: expect.stringMatching(/^cas_/) },
      })
    }
  })

  it('answers a repeated request after the deletion of the post as removed and replayed', async () => {
    const idempotency = (scope: string) => ({ key: newId('case'), scope, body_hash: 'aa' })
    const [ofPost, ofComment] = [idempotency('PATCH /posts'), idempotency('PATCH /comments')]
    const id = await content.postId(ann)
    const said = await content.comment(id, ann)
    const post = () => edit(id, { body_md: 'Clearer.' }, ann, { idempotency: ofPost })
    const comment = () =>
      content.ask(editComment, { id: said.id, body_md: 'Clearer.' }, ann, {
        idempotency: ofComment,
      })
    await post()
    await comment()
    await content.ask(posts.deletePost, { id }, ann)

    for (const repeated of [post, comment]) {
      const gone = { code: 'removed', details: { replayed: true } }
      await expect(repeated()).rejects.toMatchObject(gone)
    }
  })

  it('publishes a waiting post once, with the newer text, even if verdicts about both texts come', async () => {
    content.scanner.hold()
    const made = await content.ask(
      posts.createPost,
      { slug: 'general', title: 'Twice', kind: 'result', body_md: 'One.' },
      ann,
      { respondAsync: true },
    )
    const { id } = made.data.post
    const first = await caseOf(content, id)
    await edit(id, { body_md: 'Two.' }, ann, { respondAsync: true })
    const second = await caseOf(content, id)

    await tellVerdict(content, { caseId: first, verdict: 'allow' })
    await tellVerdict(content, { caseId: second, verdict: 'allow', times: 2 })
    content.scanner.release()

    await eventually('it is public', async () => (await read(id, ann)).visibility === undefined)
    expect(await read(id)).toMatchObject({ body_md: 'Two.', version: 1 })
  })
})

describe('a verdict about an edit', () => {
  it('changes nothing if it is repeated, or comes after a later version', async () => {
    const id = await content.postId(ann)
    await edit(id, { title: 'The second title' })
    const caseId = await caseOf(content, id)
    await edit(id, { title: 'The third title' })

    await tellVerdict(content, { caseId, verdict: 'allow', times: 2 })
    await edit(id, { title: 'The fourth title' })

    expect((await versions(id)).map(({ version, title }) => [version, title])).toEqual([
      [4, 'The fourth title'],
      [3, 'The third title'],
      [2, 'The second title'],
      [1, 'A cold cache made the build flaky'],
    ])
  })
})

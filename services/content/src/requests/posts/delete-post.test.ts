import { describe, expect, it } from '@jest/globals'
import { getWrite, listSubmissions } from '@stoa/shared/contracts/agents.js'
import { listChanges, listFeed } from '@stoa/shared/contracts/feed.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import * as versioned from '@stoa/shared/contracts/versions.js'
import { wordingOf } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import { aPost, type ContentUnderTest, type Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { tagsTold } from '../../testing/tags-told.ts'
import { caseOf, tellVerdict } from '../../testing/tell-verdict.ts'

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

describe('deleting a post', () => {
  it('takes it out of every list at once, and its address answers removed to everybody', async () => {
    const id = await content.postId(ann, { tags: ['gone-soon'] })
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    const { data } = await content.ask(posts.deletePost, { id }, ann)

    expect(data.post).toEqual({ id, visibility: 'deleted' })
    for (const sort of ['hot', 'new', 'top', 'active', 'oldest'] as const) {
      const feed = await content.ask(listFeed, { sort, agent: ann.handle, limit: 100 })
      expect(feed.data.items.map((item) => item.id)).not.toContain(id)
    }
    expect((await content.ask(posts.listPosts, { ids: [id] })).data.items).toEqual([])
    for (const who of [undefined, ann, ben, mod]) {
      await expect(read(id, who)).rejects.toMatchObject({ code: 'removed' })
    }
    const { items } = (await content.ask(listChanges, { after })).data
    expect(items).toEqual([expect.objectContaining({ type: 'post.removed', target_id: id })])
    expect(items[0]?.post).toBeUndefined()
    const { rows } = await content.db.query(
      `SELECT post ->> 'visible' AS visible
       FROM outbox, json_array_elements(event::json #> '{data,posts}') AS post
       WHERE subject = 'rank.post' AND post ->> 'post_id' = $1 ORDER BY seq DESC LIMIT 1`,
      [id],
    )
    expect(rows).toEqual([{ visible: 'false' }])
  })

  it('is shown to its author in the lookup by Idempotency-Key and in the list of submissions', async () => {
    const agent = await content.register()
    const idempotency = { key: newId('case'), scope: 'POST /posts', body_hash: 'aa' }
    const { id } = (await content.ask(posts.createPost, aPost(), agent, { idempotency })).data.post
    await edit(id, { title: 'Another title of it' }, agent)

    await content.ask(posts.deletePost, { id }, agent)

    const { data } = await content.ask(getWrite, { idempotency_key: idempotency.key }, agent)
    expect(data).toMatchObject({ resource_id: id, visibility: 'deleted' })
    const written = await content.ask(listSubmissions, { visibility: 'deleted' }, agent)
    expect(written.data.items.map(({ kind }) => kind)).toEqual(['post_edit', 'post'])
  })

  it('is allowed to its author only, and only once', async () => {
    const id = await content.postId(ann)
    const remove = (as: Someone) => content.ask(posts.deletePost, { id }, as)

    await expect(remove(ben)).rejects.toMatchObject({ code: 'not_author' })
    await expect(remove(mod)).rejects.toMatchObject({
      code: 'not_author',
      details: { reason: 'moderator' },
    })
    const results = await Promise.allSettled([remove(ann), remove(ann)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(remove(ben)).rejects.toMatchObject({ code: 'removed' })
  })

  it('is refused if expected_version is not the current version', async () => {
    const id = await content.postId(ann)
    const held = await content.postId(ann, { body_md: 'QUARANTINEME' })
    await edit(id, { title: 'Another title of it' })
    const remove = (id: string, expected_version: number) =>
      content.ask(posts.deletePost, { id, expected_version }, ann)

    await expect(remove(id, 1)).rejects.toMatchObject({
      code: 'version_conflict',
      details: { current_version: 2 },
    })
    await expect(remove(held, 2)).rejects.toMatchObject({ code: 'version_conflict' })

    expect((await remove(id, 2)).data.post.visibility).toBe('deleted')
    expect((await remove(held, 1)).data.post.visibility).toBe('deleted')
  })

  it('answers later requests that the post was deleted before it was public, if it never was', async () => {
    const id = await content.postId(ann, { body_md: 'QUARANTINEME' })
    await content.ask(posts.deletePost, { id }, ann)

    for (const attempt of [() => read(id, ann), () => edit(id, { title: 'Too late' })]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'removed' })
      const detail = await attempt().catch(wordingOf)
      expect(detail).toMatchObject({
        detail: 'The text was replaced or deleted before it became public.',
      })
    }
  })

  it('that waits for its scan ends its creation as removed, and a later verdict does not publish the post', async () => {
    const eve = await content.register()
    content.scanner.hold()
    const creating = content.post(eve, { title: 'Not for long' })
    const refused = expect(creating).rejects.toMatchObject({ code: 'removed' })
    const id = await eventually('it waits', async () => {
      const { rows } = await content.db.query(
        `SELECT target_id FROM submissions WHERE agent_id = $1 AND kind = 'post'`,
        [eve.agent_id],
      )
      return rows[0]?.target_id as string | undefined
    })
    const caseId = await caseOf(content, id)
    await content.db.query(`UPDATE agents SET status = 'suspended' WHERE id = $1`, [eve.agent_id])

    await expect(content.ask(posts.deletePost, { id }, ben)).rejects.toMatchObject({
      code: 'not_found',
    })
    await content.ask(posts.deletePost, { id }, eve)
    await refused
    await tellVerdict(content, { caseId, verdict: 'allow' })
    content.scanner.release()
    const { meta } = await edit(await content.postId(ann), { title: 'Another title of it' })

    // If the deleted post's wait had run out, this edit would not have waited for its verdict.
    expect(meta.outcome).toBe('ok')
    await expect(read(id, eve)).rejects.toMatchObject({ code: 'removed' })
    await expect(read(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('also ends the attempt that a concurrent edit is just storing', async () => {
    const id = await content.postId(ann, { body_md: 'QUARANTINEME' })
    const release = await content.hold(
      'SELECT 1 FROM submissions WHERE target_id = $1 FOR UPDATE',
      [id],
    )

    const editing = edit(id, { body_md: 'Harmless.' }, ann, { respondAsync: true }).catch(() => {})
    await eventually('the edit waits', async () => (await content.lockWaits()) === 1)
    const deleting = content.ask(posts.deletePost, { id }, ann)
    await eventually('the deletion waits', async () => (await content.lockWaits()) === 2)
    await release()
    await Promise.all([editing, deleting])

    const { rows } = await content.db.query(
      'SELECT visibility, document FROM submissions WHERE target_id = $1 ORDER BY id',
      [id],
    )
    const gone = { document: null }
    expect(rows).toEqual([
      { visibility: 'superseded', ...gone },
      { visibility: 'deleted', ...gone },
    ])
  })

  it('ends an edit that waits for its scan', async () => {
    const id = await content.postId(ann)
    content.scanner.hold()
    await edit(id, { title: 'Never seen' }, ann, { respondAsync: true })

    await content.ask(posts.deletePost, { id }, ann)
    content.scanner.release()
    await content.postId(ann)

    await expect(read(id)).rejects.toMatchObject({ code: 'removed' })
    const { rows } = await content.db.query(
      `SELECT visibility, document FROM submissions WHERE target_id = $1 AND kind = 'post_edit'`,
      [id],
    )
    expect(rows).toEqual([{ visibility: 'deleted', document: null }])
  })
})

describe('the versions of a post', () => {
  it('can be deleted by its author and moderators, except the current version', async () => {
    const id = await content.postId(ann)
    await edit(id, { title: 'The second title' })
    await edit(id, { title: 'The third title' })
    const remove = (version: number, as: Someone) =>
      content.ask(versioned.deleteVersion, { id, version }, as)
    const suspended = await content.moderator()
    await content.db.query(`UPDATE agents SET status = 'suspended' WHERE id = $1`, [
      suspended.agent_id,
    ])

    await expect(remove(1, suspended)).rejects.toMatchObject({ code: 'not_author' })
    await expect(remove(1, ben)).rejects.toMatchObject({ code: 'not_author' })
    await expect(remove(3, ann)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/version', code: 'current_version' }] },
    })
    await expect(remove(9, ann)).rejects.toMatchObject({ code: 'not_found' })
    await remove(1, ann)
    await remove(2, mod)
    await expect(remove(1, ann)).rejects.toMatchObject({ code: 'removed' })

    expect((await versions(id)).map(({ version }) => version)).toEqual([3])
    await expect(content.ask(versioned.getVersion, { id, version: 1 })).rejects.toMatchObject({
      code: 'removed',
    })
    const { rows } = await content.db.query('SELECT moderator, action, note FROM audit')
    expect(rows).toEqual([{ moderator: mod.handle, action: 'delete-version', note: 'version 2' }])
  })

  it('are dropped from caches with the post when one is deleted', async () => {
    const id = await content.postId(ann)
    await edit(id, { title: 'The second title' })

    const told = await tagsTold(content, async () => {
      const { meta } = await content.ask(versioned.deleteVersion, { id, version: 1 }, ann)
      expect(meta.tags).toEqual([`post:${id}`])
    })

    expect(told).toEqual([`post:${id}`])
  })

  it('name the previous version that was not deleted', async () => {
    const id = await content.postId(ann)
    for (let i = 2; i <= 4; i++) await edit(id, { title: `Title number ${i}` })
    await content.ask(versioned.deleteVersion, { id, version: 2 }, ann)

    const listed = (await versions(id)).map((item) => [item.version, item.previous_version])
    const page = await content.ask(versioned.listVersions, { id, limit: 2 })
    const { data } = await content.ask(versioned.getVersion, { id, version: 3 })

    expect(listed).toEqual([
      [4, 3],
      [3, 1],
      [1, null],
    ])
    expect(page.data.items.map((item) => item.previous_version)).toEqual([3, 1])
    expect(data.version.previous_version).toBe(1)
  })

  it('are listed page by page, and of a held post only to its author', async () => {
    const id = await content.postId(ann)
    for (let i = 2; i <= 4; i++) await edit(id, { title: `Title number ${i}` })
    const first = (await content.ask(versioned.listVersions, { id, limit: 3 })).data

    const second = (
      await content.ask(versioned.listVersions, {
        id,
        limit: 3,
        before: first.next_before as string,
      })
    ).data

    expect([...first.items, ...second.items].map(({ version }) => version)).toEqual([4, 3, 2, 1])
    expect(second.next_before).toBeNull()
    const held = await content.postId(ann, { body_md: 'QUARANTINEME' })
    expect(await versions(held, ann)).toMatchObject([{ version: 1, current: true }])
    await expect(versions(held)).rejects.toMatchObject({ code: 'not_found' })
  })
})

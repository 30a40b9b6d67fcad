import { describe, expect, it } from '@jest/globals'
import { listSubmissions } from '@stoa/shared/contracts/agents.js'
import * as communities from '@stoa/shared/contracts/communities.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import { besidePublication } from '../../testing/beside-publication.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inModeratedForum } from '../../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let founder: Someone

inModeratedForum((started) => {
  forum = started
  ;({ content, author: founder } = forum)
})

type Fields = { title?: string; description?: string; expected_version?: number }

async function create(slug: string, title = 'Slow builds', as = founder) {
  const { data } = await content.ask(communities.createCommunity, { slug, title }, as)
  return data.community
}

const edit = (slug: string, fields: Fields, as = founder) =>
  content.ask(communities.editCommunity, { slug, ...fields }, as)

async function read(slug: string, as?: Someone) {
  return (await content.ask(communities.getCommunity, { slug }, as)).data.community
}

/** The id of the unresolved alert about this target, or an empty string. */
async function openAlert(id: string): Promise<string> {
  const open = (await forum.alertsOn(id)).find(({ status }) => status !== 'resolved')
  return open?.id ?? ''
}

async function remove(id: string): Promise<string> {
  await forum.flag(id, forum.ada)
  const alert = await openAlert(id)
  await forum.resolve(alert, 'remove')
  return alert
}

describe('an edit of a community', () => {
  it('changes the given fields of the community, and the title that its posts show', async () => {
    const made = await create('slow-builds')
    const postId = await content.postId(founder, { slug: 'slow-builds' })
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    const { data, meta } = await edit('SLOW-builds', { title: 'Fast builds', expected_version: 1 })
    await edit('slow-builds', { description: 'And how they became so.' })

    expect([meta.outcome, meta.version]).toEqual(['ok', 2])
    expect(data.community).toEqual({
      ...made,
      title: 'Fast builds',
      post_count: 1,
      version: 2,
      updated_at: expect.any(String),
    })
    expect(Date.parse(data.community.updated_at)).toBeGreaterThan(Date.parse(made.created_at))
    const community = await read('slow-builds')
    expect(community).toMatchObject({
      title: 'Fast builds',
      description: 'And how they became so.',
      created_at: made.created_at,
      version: 3,
    })
    expect((await content.detail(postId)).post.community_title).toBe('Fast builds')
    const { items } = (await content.ask(listChanges, { after })).data
    const told = { type: 'community.updated', community_slug: 'slow-builds', community }
    expect(items).toEqual([expect.objectContaining(told), expect.objectContaining(told)])
    const [written] = (await content.ask(listSubmissions, {}, founder)).data.items
    expect(written).toMatchObject({
      kind: 'community_edit',
      visibility: 'public',
      api_url: community.api_url,
    })
  })

  it('is announced under a new revision of the community, as is the removal of the community', async () => {
    const { id } = await create('told-builds')
    await edit('told-builds', { title: 'Fast builds' })
    await remove(id)

    const { rows } = await content.db.query(
      `SELECT array_agg((event::json #>> '{data,revision}')::int ORDER BY seq) AS told,
         (SELECT revision FROM communities WHERE id = $1) AS current
       FROM outbox WHERE event::json #>> '{data,id}' = $1`,
      [id],
    )

    expect(rows).toEqual([{ told: [1, 2, 3], current: 3 }])
  })

  it('leaves the public title visible while the edit waits or is refused', async () => {
    const { id } = await create('held-builds')

    const held = await edit('held-builds', { title: 'QUARANTINEME' })
    await expect(edit('held-builds', { title: 'BLOCKME' })).rejects.toMatchObject({
      code: 'content_rejected',
    })

    expect(held.meta.outcome).toBe('accepted')
    expect(held.data.community).toMatchObject({ visibility: 'quarantined', title: 'Slow builds' })
    expect(await read('held-builds')).toMatchObject({ id, title: 'Slow builds', version: 1 })
    await expect(create('held-builds')).rejects.toMatchObject({ code: 'slug_taken' })
  })

  it('replaces an edit that waits', async () => {
    await create('second-builds')
    await edit('second-builds', { title: 'QUARANTINEME' })

    const { data } = await edit('second-builds', { title: 'Fast builds' })

    expect(data.community).toMatchObject({ title: 'Fast builds', version: 2 })
    const written = (await content.ask(listSubmissions, { limit: 2 }, founder)).data.items
    expect(written.map(({ visibility }) => visibility)).toEqual(['public', 'deleted'])
  })

  it('is refused to other agents and moderators, for another version, and for an unknown or removed community', async () => {
    const { id } = await create('own-builds')
    const stranger = await content.register()
    const fields = { title: 'Mine' }

    for (const [as, reason] of [
      [stranger, 'founder'],
      [forum.ada, 'moderator'],
    ] as const) {
      const refusal = { code: 'not_author', details: { reason } }
      await expect(edit('own-builds', fields, as)).rejects.toMatchObject(refusal)
      await expect(edit('general', fields, as)).rejects.toMatchObject(refusal)
    }
    await expect(edit('own-builds', { ...fields, expected_version: 2 })).rejects.toMatchObject({
      code: 'version_conflict',
      details: { current_version: 1 },
    })
    await expect(edit('no-builds', fields)).rejects.toMatchObject({ code: 'not_found' })
    await remove(id)
    await expect(edit('own-builds', fields)).rejects.toMatchObject({ code: 'removed' })
  })

  it('that changes nothing makes no new version', async () => {
    await create('same-builds')

    const { data, meta } = await edit('same-builds', { title: 'Slow builds', description: '' })

    expect([meta.outcome, data.community.version]).toEqual(['ok', 1])
  })

  it('replaces a proposal that waits, and keeps its slug', async () => {
    const { id } = await create('calm-builds', 'QUARANTINEME')
    const stranger = await content.register()

    await expect(edit('calm-builds', { title: 'Mine' }, stranger)).rejects.toMatchObject({
      code: 'not_found',
    })
    const fields = { title: 'Calm builds' }
    await expect(edit('calm-builds', { ...fields, expected_version: 2 })).rejects.toMatchObject({
      code: 'version_conflict',
      details: { current_version: 1 },
    })
    const { data, meta } = await edit('calm-builds', { ...fields, expected_version: 1 })

    expect(meta.outcome).toBe('ok')
    expect(data.community).toMatchObject({ id, title: 'Calm builds', version: 1 })
    expect(await read('calm-builds')).toMatchObject({ id })
    await expect(create('calm-builds', 'Mine', stranger)).rejects.toMatchObject({
      code: 'slug_taken',
    })
  })

  it('takes the slug of a refused proposal again, unless another community has it', async () => {
    for (const slug of ['back-builds', 'lost-builds']) {
      await expect(create(slug, 'BLOCKME')).rejects.toMatchObject({ code: 'content_rejected' })
    }
    const stranger = await content.register()
    await create('lost-builds', 'QUARANTINEME', stranger)

    const { data } = await edit('back-builds', { title: 'Back again' })

    expect(data.community).toMatchObject({ slug: 'back-builds', title: 'Back again' })
    await expect(create('back-builds', 'Mine', stranger)).rejects.toMatchObject({
      code: 'slug_taken',
    })
    const late = edit('lost-builds', { title: 'Too late' })
    await expect(late).rejects.toMatchObject({ code: 'slug_taken' })
  })

  it('frees the slug if the scan refuses it and the proposal that it replaced was not public', async () => {
    await create('free-builds', 'QUARANTINEME')
    const refused = edit('free-builds', { title: 'BLOCKME' })
    await expect(refused).rejects.toMatchObject({ code: 'content_rejected' })

    const stranger = await content.register()

    expect(await create('free-builds', 'Mine', stranger)).toMatchObject({ title: 'Mine' })
  })

  it('is published by a moderator only once the removed community is public again', async () => {
    const { id } = await create('two-builds')
    await edit('two-builds', { title: 'QUARANTINEME' })
    const waiting = await openAlert(id)
    const removal = await remove(id)

    await forum.resolve(waiting, 'approve')
    expect(await read('two-builds', founder)).toMatchObject({ visibility: 'removed', version: 1 })
    await forum.decideAgain(removal, 'approve')
    await forum.decideAgain(waiting, 'approve')

    expect(await read('two-builds')).toMatchObject({ title: 'QUARANTINEME', version: 2 })
  })

  it('changes nothing if the community is removed while the edit waits', async () => {
    const { id } = await create('late-builds')
    await forum.flag(id, forum.ada)
    const alert = await openAlert(id)

    content.scanner.hold()
    const edited = edit('late-builds', { title: 'Too late' })
    const visibility = async () =>
      (await content.ask(listSubmissions, {}, founder)).data.items[0]?.visibility
    await eventually('the edit waits', async () => (await visibility()) === 'pending')

    await besidePublication(
      content,
      () => forum.resolve(alert, 'remove'),
      async () => content.scanner.release(),
    )

    expect((await edited).meta.outcome).toBe('accepted')
    expect(await visibility()).toBe('removed')
    expect(await read('late-builds', founder)).toMatchObject({ title: 'Slow builds', version: 1 })
  })
})

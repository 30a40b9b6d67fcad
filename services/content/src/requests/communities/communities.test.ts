import { describe, expect, it } from '@jest/globals'
import { getWrite, listSubmissions } from '@stoa/shared/contracts/agents.js'
import * as communities from '@stoa/shared/contracts/communities.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import * as suggestions from '@stoa/shared/contracts/suggestions.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { ModeratedForum } from '../../testing/moderated-forum.ts'

let content: ContentUnderTest
let founder: Someone

inContent(async (started) => {
  content = started
  founder = await content.register()
})

const create = (slug: string, fields: { title?: string } = {}, as = founder) =>
  content.ask(communities.createCommunity, { slug, title: `About ${slug}`, ...fields }, as)

/** Removes a community as a moderator does. */
async function remove(id: string): Promise<void> {
  const moderator = await content.moderator()
  await content.ask(createFlag, { target_id: id, reason: 'off_topic' }, moderator)
  const { data } = await content.ask(moderation.listAlerts, {}, moderator)
  const alert = data.items.find(({ target }) => target.id === id)
  await content.ask(moderation.resolveAlert, { id: alert?.id ?? '', action: 'remove' }, moderator)
}

describe('a community', () => {
  it('is created, read and posted to, in any case of its slug', async () => {
    const { data, meta } = await create('Flaky-Tests')
    const read = await content.ask(communities.getCommunity, { slug: 'FLAKY-tests' })
    const post = await content.post(founder, { slug: 'flaky-tests' })

    expect(meta.outcome).toBe('created')
    expect(data.community).toMatchObject({ slug: 'flaky-tests', agent_handle: founder.handle })
    expect(read.data.community).toEqual(data.community)
    expect(post.data.post.community_slug).toBe('flaky-tests')
  })

  it('names the forum as its founder if no agent founded it', async () => {
    const { data } = await content.ask(communities.getCommunity, { slug: 'general' })

    expect(data.community.agent_handle).toBe('stoa')
  })

  it('has a title of up to 200 characters', async () => {
    const { input, example } = communities.createCommunity
    const title = 'x'.repeat(200)

    const { data } = await create('long-titles', { title })
    const longer = input.safeParse({ ...example, title: `${title}x` })

    expect(data.community.title).toBe(title)
    expect(longer.error?.issues).toMatchObject([{ path: ['title'], params: { code: 'too_long' } }])
  })

  it('has an address for its founder even before it is public', async () => {
    const address = expect.stringMatching(/\/api\/v1\/communities\/slow-builds$/)
    const idempotency = { key: 'found', scope: 'POST /communities', body_hash: 'h' }
    content.scanner.hold()
    const input = { slug: 'slow-builds', title: 'About slow builds' }
    await content.ask(communities.createCommunity, input, founder, { idempotency })
    const readAddresses = async () => {
      const write = await content.ask(getWrite, { idempotency_key: 'found' }, founder)
      const written = await content.ask(listSubmissions, {}, founder)
      return [write.data.visibility, write.data.api_url, written.data.items[0]?.api_url]
    }

    expect(await readAddresses()).toEqual(['pending', address, address])
    content.scanner.release()
    await eventually('it is public', async () => (await readAddresses())[0] === 'public')
    expect(await readAddresses()).toEqual(['public', address, address])
  })

  it('has no address for its founder after it was refused and another community has taken its slug', async () => {
    const refused = await content.register()
    const answered = create('given-back', { title: 'BLOCKME' }, refused)
    await expect(answered).rejects.toMatchObject({ code: 'content_rejected' })
    const address = async () =>
      (await content.ask(listSubmissions, {}, refused)).data.items[0]?.api_url

    expect(await address()).toMatch(/\/api\/v1\/communities\/given-back$/)
    await create('given-back')
    expect(await address()).toBeNull()
  })

  it('refuses posts as removed after a moderator has removed it', async () => {
    const { data } = await create('bygone-builds')
    await remove(data.community.id)

    const post = content.post(founder, { slug: 'bygone-builds' })

    await expect(post).rejects.toMatchObject({ code: 'removed' })
  })

  it('is shown by its slug, not by its removed title, even on a post that waits', async () => {
    const { data } = await create('renamed-builds', { title: 'An offensive title' })
    const author = await content.register()
    const waiting = { slug: 'renamed-builds', body_md: 'QUARANTINEME' }
    const { id } = (await content.post(author, waiting)).data.post
    await remove(data.community.id)

    const { post } = await content.detail(id, author)

    expect(post).toMatchObject({ visibility: 'quarantined', community_title: 'renamed-builds' })
  })

  it('is refused if its slug is taken or looks like a taken one', async () => {
    await create('warm-caches')

    for (const slug of ['warm-caches', 'warmcaches', 'warrn-caches', 'genera1', '1ntros']) {
      await expect(create(slug)).rejects.toMatchObject({ code: 'slug_taken' })
    }
  })

  it.each([
    { slug: 'stoa-news' },
    { slug: 'official-news' },
    { slug: 'forum-staff' },
    { title: 'The Forum' },
    { title: 'Moderation Team' },
    { title: 'stoa' },
    { title: 'The stoa: announcements' },
    { title: 'Official announcements' },
    { title: 'News from the moderators' },
  ])('is refused if its slug or title claims to be official: %j', (claim) => {
    const { input, example } = communities.createCommunity

    expect(input.safeParse({ ...example, ...claim }).error?.issues).toMatchObject([
      { path: Object.keys(claim), params: { code: 'reserved' } },
    ])
  })

  it.each([
    ...['moderation-research', 'django-admin', 'unofficial-ports', 'stoats'],
    ...['system-security', 'forum-software'],
  ])('may be called %s', (slug) => {
    const { input, example } = communities.createCommunity

    expect(input.safeParse({ ...example, slug, title: slug }).success).toBe(true)
  })

  it('keeps its slug while it waits, and frees it when it is refused', async () => {
    const waiting = await create('waiting-room', { title: 'QUARANTINEME' })
    await expect(create('waiting-room')).rejects.toMatchObject({ code: 'slug_taken' })
    await expect(create('second-chance', { title: 'BLOCKME' })).rejects.toMatchObject({
      code: 'content_rejected',
    })

    const second = await create('second-chance')

    expect(waiting.data.community.visibility).toBe('quarantined')
    expect(second.meta.outcome).toBe('created')
  })

  it("keeps its slug while it waits for its founder's profile, and is published with the profile", async () => {
    const forum = await ModeratedForum.on(content)
    const newcomer = await content.register({ bio: 'QUARANTINEME' })
    await create('newcomers-hall', {}, newcomer)
    const read = async () =>
      (await content.ask(communities.getCommunity, { slug: 'newcomers-hall' }, newcomer)).data
    await eventually('it waits for the profile alone', async () => {
      const { next_action } = (await read()).community
      return next_action?.why.includes('profile')
    })

    await expect(create('newcomers-hall')).rejects.toMatchObject({ code: 'slug_taken' })
    await forum.resolve((await forum.onlyAlert(newcomer.agent_id)).id, 'approve')

    await eventually('it is public', async () => (await read()).community.visibility === undefined)
  })

  it('does not take its slug back from a new owner when a moderator refuses it after the scanner', async () => {
    const forum = await ModeratedForum.on(content)
    const refused = create('passed-on', { title: 'BLOCKME' })
    await expect(refused).rejects.toMatchObject({ code: 'content_rejected' })
    const [{ target_id } = { target_id: '' }] = (await content.ask(listSubmissions, {}, founder))
      .data.items
    await create('passed-on', {}, forum.author)

    await forum.resolve((await forum.onlyAlert(target_id)).id, 'remove')

    await expect(create('passed-on')).rejects.toMatchObject({ code: 'slug_taken' })
  })

  it('is shown only to its founder and moderators until it is public', async () => {
    const [stranger, moderator] = [await content.register(), await content.moderator()]
    await create('hidden-hall', { title: 'QUARANTINEME' })
    const read = (as?: Someone) =>
      content.ask(communities.getCommunity, { slug: 'hidden-hall' }, as)

    await expect(read()).rejects.toMatchObject({ code: 'not_found' })
    await expect(read(stranger)).rejects.toMatchObject({ code: 'not_found' })
    expect((await read(founder)).data.community.reasons).toHaveLength(1)
    expect((await read(moderator)).data.community.visibility).toBe('quarantined')
  })

  it('is shown to its founder as last proposed if each proposal was refused', async () => {
    for (const title of ['BLOCKME once', 'BLOCKME twice']) {
      await expect(create('third-time', { title })).rejects.toMatchObject({
        code: 'content_rejected',
      })
    }

    const { data } = await content.ask(communities.getCommunity, { slug: 'third-time' }, founder)

    expect(data.community).toMatchObject({ visibility: 'rejected', title: 'BLOCKME twice' })
  })

  it('is answered as first made if its creation is repeated', async () => {
    const idempotency = { key: 'c1', scope: 'POST /communities', body_hash: 'h' }
    const input = { slug: 'only-once', title: 'Only once' }
    const first = await content.ask(communities.createCommunity, input, founder, { idempotency })
    const again = await content.ask(communities.createCommunity, input, founder, { idempotency })

    expect(again.data).toEqual(first.data)
    expect(again.meta.replayed).toBe(true)
  })

  it.each(['active', 'new', 'name'] as const)(
    'is listed once by %s, page by page',
    async (sort) => {
      const whole = await content.ask(communities.listCommunities, { sort, limit: 100 })
      const slugs: string[] = []
      let before: string | undefined
      do {
        const { data } = await content.ask(communities.listCommunities, { sort, limit: 2, before })
        slugs.push(...data.items.map(({ slug }) => slug))
        before = data.next_before ?? undefined
      } while (before)

      expect(slugs).toEqual(whole.data.items.map(({ slug }) => slug))
      expect(slugs).toContain('general')
      expect(slugs).not.toContain('hidden-hall')
      if (sort === 'name') expect(slugs).toEqual(slugs.toSorted())
    },
  )
})

describe('a suggestion', () => {
  it('is public if the scan allows it, and is listed by score and by age', async () => {
    const ids: string[] = []
    for (const n of [1, 2, 3]) {
      const { data, meta } = await content.ask(
        suggestions.createSuggestion,
        { title: `Suggestion ${n}`, body_md: 'It would help.' },
        founder,
      )
      expect(meta.outcome).toBe('created')
      ids.push(data.suggestion.id)
    }
    await content.db.query('UPDATE suggestions SET score = 5 WHERE id = $1', [ids[1]])

    const list = async (sort: 'top' | 'new') => {
      const listed: string[] = []
      let before: string | undefined
      do {
        const page = { sort, limit: 1, before }
        const { data } = await content.ask(suggestions.listSuggestions, page)
        listed.push(...data.items.map(({ id }) => id))
        before = data.next_before ?? undefined
      } while (before)
      return listed
    }

    expect(await list('new')).toEqual([ids[2], ids[1], ids[0]])
    expect(await list('top')).toEqual([ids[1], ids[2], ids[0]])
    const done = await content.ask(suggestions.listSuggestions, { status: 'done' })
    expect(done.data.count).toBe(0)
  })

  it('is shown to its author only while it waits', async () => {
    content.scanner.hold()
    const { data, meta } = await content.ask(
      suggestions.createSuggestion,
      { title: 'Later', body_md: 'Please.' },
      founder,
      { respondAsync: true },
    )
    const { id } = data.suggestion

    expect(meta.outcome).toBe('accepted')
    await expect(content.ask(suggestions.getSuggestion, { id })).rejects.toMatchObject({
      code: 'not_found',
    })
    const own = await content.ask(suggestions.getSuggestion, { id }, founder)
    content.scanner.release()

    expect(own.data.suggestion.visibility).toBe('pending')
    await eventually('it is public', () => content.ask(suggestions.getSuggestion, { id }))
  })

  it.each([
    { was: 'public', body_md: 'Please.' },
    { was: 'quarantined', body_md: 'QUARANTINEME' },
  ])('can be deleted by its author only, while it is $was', async ({ body_md }) => {
    const stranger = await content.register()
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor
    const { data } = await content.ask(
      suggestions.createSuggestion,
      { title: 'A mistake', body_md },
      founder,
    )
    const { id, visibility = 'public' } = data.suggestion
    const isPublic = visibility === 'public'
    const take = (as: Someone) => content.ask(suggestions.deleteSuggestion, { id }, as)

    await expect(take(stranger)).rejects.toMatchObject({
      code: isPublic ? 'not_author' : 'not_found',
    })
    expect((await take(founder)).data.suggestion).toEqual({ id, visibility: 'deleted' })

    for (const as of [founder, stranger]) {
      await expect(content.ask(suggestions.getSuggestion, { id }, as)).rejects.toMatchObject({
        code: isPublic || as === founder ? 'removed' : 'not_found',
      })
    }
    await expect(take(founder)).rejects.toMatchObject({ code: 'removed' })
    await expect(take(stranger)).rejects.toMatchObject({
      code: isPublic ? 'removed' : 'not_found',
    })
    const [written] = (await content.ask(listSubmissions, {}, founder)).data.items
    expect(written).toMatchObject({ target_id: id, visibility: 'deleted' })
    const { items } = (await content.ask(listChanges, { after })).data
    const told = isPublic ? ['suggestion.published', 'suggestion.removed'] : []
    expect(items.map(({ type }) => type)).toEqual(told)
    const listed = await content.ask(suggestions.listSuggestions, { sort: 'new' })
    expect(listed.data.items.map((item) => item.id)).not.toContain(id)
  })
})

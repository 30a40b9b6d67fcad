import { describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connectBus } from '@stoa/shared/bus/bus.js'
import * as agents from '@stoa/shared/contracts/agents.js'
import { createAppeal, getAppeal } from '@stoa/shared/contracts/appeals.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { createComment, getComment } from '@stoa/shared/contracts/comments.js'
import { createCommunity } from '@stoa/shared/contracts/communities.js'
import { listChanges, listFeed } from '@stoa/shared/contracts/feed.js'
import { listInbox } from '@stoa/shared/contracts/inbox.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import { reproducePost } from '@stoa/shared/contracts/posts.js'
import { createSuggestion, getSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let author: Someone
let ada: Someone
let bob: Someone

inModeratedForum((started) => {
  forum = started
  ;({ content, author, ada, bob } = forum)
})

describe('resolving an alert', () => {
  it('publishes a quarantined post, and tells the author of the decision', async () => {
    const { data } = await content.post(author, { body_md: 'QUARANTINEME' })
    const { id } = data.post
    await expect(forum.read(id)).rejects.toMatchObject({ code: 'not_found' })

    await forum.resolve((await forum.onlyAlert(id)).id, 'approve')

    expect((await forum.read(id)).data.post.visibility).toBeUndefined()
    const inbox = await content.ask(listInbox, { limit: 100 }, author)
    expect(inbox.data.items.at(-1)).toMatchObject({ type: 'decision', visibility: 'public' })
  })

  it("hides a public post from reads, the feed and the author's post count, and tells the author", async () => {
    const id = await forum.publicPost('FLAGME')
    const before = await content.ask(agents.getAgent, { handle: author.handle })
    const alert = await forum.onlyAlert(id)

    const { data } = await forum.resolve(alert.id, 'remove')

    expect(data.alert).toMatchObject({
      status: 'resolved',
      resolution: 'remove',
      resolved_by: ada.handle,
      note: 'Seen.',
    })
    await expect(forum.read(id)).rejects.toMatchObject({ code: 'removed' })
    expect((await forum.read(id, author)).data.post.visibility).toBe('removed')
    const feed = await content.ask(listFeed, { sort: 'new' })
    expect(feed.data.items.map((item) => item.id)).not.toContain(id)
    const changes = await content.ask(listChanges, { limit: 500 })
    expect(changes.data.items.at(-1)).toMatchObject({ type: 'post.removed', target_id: id })
    const after = await content.ask(agents.getAgent, { handle: author.handle })
    expect(after.data.agent.post_count).toBe(before.data.agent.post_count - 1)
    expect(after.data.agent.status).toBe('active')
  })

  it('answers the cache tags of all lists and threads that change when a text is hidden or shown again', async () => {
    const id = await forum.publicPost('FLAGME')
    const other = await forum.publicPost()
    const input = { id: other, body_md: 'FLAGME' }
    const comment = (await content.ask(createComment, input, author)).data.comment.id
    const report = { id: other, outcome: 'failed', notes: 'FLAGME' } as const
    const { reproduction } = (await content.ask(reproducePost, report, author)).data
    const wish = { title: 'Diffs', body_md: 'FLAGME' }
    const { suggestion } = (await content.ask(createSuggestion, wish, author)).data
    const founded = { slug: 'shown-again', title: 'FLAGME' }
    const { community } = (await content.ask(createCommunity, founded, author)).data
    const lists = ['posts', 'hot', 'community:general', 'hot:general']
    const ofAuthor = `agent:${author.handle}`
    const shown: Record<string, string[]> = {
      [id]: [`post:${id}`, ...lists, ofAuthor],
      [comment]: [`comment:${comment}`, `post:${other}`, 'posts', ofAuthor],
      [reproduction.id]: [`post:${other}`, ofAuthor],
      [suggestion.id]: [`suggestion:${suggestion.id}`, 'suggestions', ofAuthor],
      [community.id]: [
        ...['communities', 'community:shown-again', 'hot:shown-again', 'posts', 'hot'],
        ofAuthor,
      ],
    }

    for (const [of, tags] of Object.entries(shown)) {
      const alert = await forum.onlyAlert(of)
      const hidden = await forum.resolve(alert.id, 'remove')
      const back = await forum.decideAgain(alert.id, 'approve')

      expect(hidden.meta.tags).toEqual(expect.arrayContaining(tags))
      expect(back.meta.tags).toEqual(expect.arrayContaining(tags))
    }
  })

  it('lets an author who repeats the creation of a removed community see that it was removed', async () => {
    const slug = 'taken-away'
    const idempotency = { key: newId('case'), scope: 'POST /communities', body_hash: 'aa' }
    const ask = () =>
      content.ask(createCommunity, { slug, title: 'FLAGME' }, author, { idempotency })
    const { data } = await ask()
    await forum.resolve((await forum.onlyAlert(data.community.id)).id, 'remove')

    const again = await ask()

    expect(again.meta).toMatchObject({ outcome: 'accepted', replayed: true })
    expect(again.data.community).toMatchObject({ slug, visibility: 'removed' })
  })

  it('shows a post again as a new post in the feeds, with its votes, if its appeal is granted', async () => {
    const { id } = (await content.post(author, { body_md: 'FLAGME', tags: ['back'] })).data.post
    await content.ask(castVote, { target_id: id, value: 1 }, bob)
    const { hot_score: before } = (await forum.read(id)).data.post
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')
    const { data: hidden } = await forum.read(id, author)
    const caseId = hidden.post.case_id as string
    await forum.publicPost()
    const newest = await content.ask(listFeed, { sort: 'new' })
    await content.ask(createAppeal, { case_id: caseId, reason: 'A quote.' }, author)

    await forum.resolve((await forum.onlyAlert(id, 'appeal')).id, 'approve', bob)

    const since = newest.data.next_since as string
    for (const filter of [{}, { tag: ['back'] }]) {
      const feed = await content.ask(listFeed, { since, ...filter })
      expect(feed.data.items.map((item) => item.id)).toEqual([id])
    }
    const { items: active } = (await content.ask(listFeed, { sort: 'active' })).data
    expect(active[0]?.id).toBe(id)
    const { post } = (await forum.read(id)).data
    expect(post).toMatchObject({ score: 1, updated_at: post.created_at })
    expect(post.hot_score).toBeGreaterThan(before)
    const appeal = await content.ask(getAppeal, { id: caseId }, author)
    expect(appeal.data.appeal).toMatchObject({ status: 'granted', decision_note: 'Seen.' })
  })

  it('hides and shows comments, reproductions and suggestions', async () => {
    const id = await forum.publicPost()
    const other = await content.register()
    const comment = await content.ask(createComment, { id, body_md: 'FLAGME' }, other)
    const reproduction = await content.ask(
      reproducePost,
      { id, outcome: 'reproduced', notes: 'FLAGME' },
      other,
    )
    const suggestion = await content.ask(
      createSuggestion,
      { title: 'More tests', body_md: 'FLAGME' },
      other,
    )
    const things = [
      comment.data.comment.id,
      reproduction.data.reproduction.id,
      suggestion.data.suggestion.id,
    ]
    const counts = async () => {
      const { data } = await forum.read(id)
      return [data.post.comment_count, data.post.reproduced_count]
    }

    for (const thing of things) {
      await forum.resolve((await forum.onlyAlert(thing)).id, 'quarantine')
    }
    const hidden = await counts()
    const [comments, suggestions] = await Promise.allSettled([
      content.ask(getComment, { id: things[0] as string }),
      content.ask(getSuggestion, { id: things[2] as string }),
    ])
    await forum.publicPost()
    for (const thing of things) {
      await forum.decideAgain((await forum.onlyAlert(thing)).id, 'approve', bob)
    }

    expect(hidden).toEqual([0, 0])
    expect([comments, suggestions]).toMatchObject([
      { reason: { code: 'removed' } },
      { reason: { code: 'removed' } },
    ])
    expect(await counts()).toEqual([1, 1])
    const back = (await content.ask(getComment, { id: things[0] as string })).data.comment
    expect(back.created_at > comment.data.comment.created_at).toBe(true)
    expect(back.updated_at).toBe(back.created_at)
    const { items: active } = (await content.ask(listFeed, { sort: 'active' })).data
    expect(active[0]?.id).toBe(id)
    await content.ask(getSuggestion, { id: things[2] as string })
  })

  it('that removes a report makes another report fail with the reason "report", not as on a removed post', async () => {
    const id = await forum.publicPost()
    const other = await content.register()
    const report = (notes: string) =>
      content.ask(reproducePost, { id, outcome: 'failed', notes }, other)
    const first = await report('FLAGME')

    await forum.resolve((await forum.onlyAlert(first.data.reproduction.id)).id, 'remove')

    await expect(report('Another.')).rejects.toMatchObject({
      code: 'removed',
      details: { reason: 'report' },
    })
  })

  it('twice with the same decision answers the same, and with another decision or moderator is refused', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    const first = await forum.resolve(alert.id, 'remove')

    const again = await forum.resolve(alert.id, 'remove')

    expect(again.data).toEqual(first.data)
    await expect(forum.resolve(alert.id, 'quarantine')).rejects.toMatchObject({
      code: 'already_decided',
    })
    await expect(forum.resolve(alert.id, 'remove', bob)).rejects.toMatchObject({
      code: 'already_decided',
    })
    const { rows } = await content.db.query('SELECT action FROM audit WHERE alert_id = $1', [
      alert.id,
    ])
    expect(rows).toEqual([{ action: 'alert.remove' }])
  })

  it('has one winner if several moderators try at once', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)

    const results = await Promise.allSettled(
      [ada, bob, ada, bob].map((moderator) => forum.resolve(alert.id, 'remove', moderator)),
    )

    const winners = results.flatMap((result) =>
      result.status === 'fulfilled' ? result.value.data.alert.resolved_by : [],
    )
    expect(new Set(winners).size).toBe(1)
    const changes = await content.ask(listChanges, { limit: 500 })
    expect(changes.data.items.filter((item) => item.target_id === id)).toHaveLength(2)
  })

  it('is open to every moderator while another one has claimed the alert', async () => {
    const id = await forum.publicPost('FLAGME')
    const { id: alertId } = await forum.onlyAlert(id)
    const claimed = await content.ask(moderation.claimAlert, { id: alertId }, bob)
    const { claimed_until: until } = claimed.data.alert
    expect(claimed.data.alert).toMatchObject({ status: 'claimed', claimed_by: bob.handle })
    expect(Date.parse(until as string)).toBeGreaterThan(Date.now())
    await expect(content.ask(moderation.claimAlert, { id: alertId }, ada)).rejects.toMatchObject({
      code: 'already_decided',
      details: { reason: 'claimed' },
    })

    const { data } = await forum.resolve(alertId, 'dismiss', ada)

    expect(data.alert).toMatchObject({ claimed_by: bob.handle, resolved_by: ada.handle })
  })

  it("can be claimed by others once the claiming moderator releases the claim, and by nobody else's release", async () => {
    const { id } = await forum.onlyAlert(await forum.publicPost('FLAGME'))
    const unclaim = (as: Someone) => content.ask(moderation.unclaimAlert, { id }, as)
    await content.ask(moderation.claimAlert, { id }, bob)

    const others = (await unclaim(ada)).data.alert
    const own = (await unclaim(bob)).data.alert
    const again = (await unclaim(bob)).data.alert

    expect(others).toMatchObject({ status: 'claimed', claimed_by: bob.handle })
    expect(own).toMatchObject({ status: 'open', claimed_by: null, claimed_until: null })
    expect(again).toEqual(own)
    const { rows } = await content.db.query(
      'SELECT moderator, action FROM audit WHERE alert_id = $1 ORDER BY seq',
      [id],
    )
    expect(rows).toEqual([
      { moderator: bob.handle, action: 'alert.claimed' },
      { moderator: bob.handle, action: 'alert.unclaimed' },
    ])
    await content.ask(moderation.claimAlert, { id }, ada)
  })

  it('can be claimed again by any moderator once the claim has lapsed', async () => {
    const { id } = await forum.onlyAlert(await forum.publicPost('FLAGME'))
    const claim = (as: Someone) => content.ask(moderation.claimAlert, { id }, as)
    const lapse = () =>
      content.db.query(`UPDATE alerts SET claimed_at = now() - interval '2 hours' WHERE id = $1`, [
        id,
      ])
    await claim(bob)
    await lapse()
    const again = await claim(bob)
    await lapse()
    const other = await claim(ada)

    for (const { data } of [again, other]) {
      expect(Date.parse(data.alert.claimed_until as string)).toBeGreaterThan(Date.now())
    }
    expect(other.data.alert.claimed_by).toBe(ada.handle)
  })

  it('is refused to callers who are no moderators, as is the audit log', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)

    await expect(forum.resolve(alert.id, 'remove', author)).rejects.toMatchObject({
      code: 'moderator_only',
    })
    await expect(
      content.ask(listAudit, {}, { ...author, role: 'moderator' }),
    ).rejects.toMatchObject({ code: 'moderator_only' })
  })

  it('hides and shows a profile, without restricting what the agent may do', async () => {
    const agent = await content.register({ bio: 'FLAGME' })
    const alert = await forum.onlyAlert(agent.agent_id)
    await forum.resolve(alert.id, 'remove')

    const stranger = await content.ask(agents.getAgent, { handle: agent.handle })
    const own = await content.ask(agents.getMe, {}, agent)
    expect(stranger.data.agent).toMatchObject({ bio: '', agent_name: agent.handle })
    expect(own.data.agent).toMatchObject({ bio: 'FLAGME', visibility: 'removed' })
    expect((await content.post(agent)).meta.outcome).toBe('created')
    const caseId = own.data.agent.case_id as string
    await content.ask(createAppeal, { case_id: caseId, reason: 'Mine.' }, agent)
    await forum.resolve((await forum.onlyAlert(agent.agent_id, 'appeal')).id, 'approve', bob)

    const shown = await content.ask(agents.getAgent, { handle: agent.handle })
    expect(shown.data.agent.bio).toBe('FLAGME')
  })

  it('publishes a refused community, unless its slug has been taken', async () => {
    const found = (slug: string, title: string) =>
      content.ask(createCommunity, { slug, title }, author)
    await found('lost-cause', 'BLOCKME').catch(() => {})
    await found('late-justice', 'BLOCKME').catch(() => {})
    await found('lost-cause', 'Somebody else')
    const { data } = await content.ask(moderation.listAlerts, { status: 'open' }, ada)
    const [justice, cause] = data.items

    await expect(forum.resolve(cause?.id as string, 'approve')).rejects.toMatchObject({
      code: 'slug_taken',
    })
    await forum.resolve(justice?.id as string, 'approve')

    const { rows } = await content.db.query(
      `SELECT title FROM communities WHERE slug IN ('lost-cause', 'late-justice') ORDER BY slug`,
    )
    expect(rows).toEqual([{ title: 'BLOCKME' }, { title: 'Somebody else' }])
  })

  it('publishes an event on the ALERTS stream', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    await forum.resolve(alert.id, 'dismiss')

    const subjects = await eventually('both are in the stream', async () => {
      const seen = await alertEvents(alert.id)
      return seen.length === 2 && seen
    })

    expect(subjects).toEqual(['alert.raised', 'alert.resolved'])
  })
})

async function alertEvents(alertId: string): Promise<string[]> {
  const bus = await connectBus('content', content.nats.urlFor('content'))
  try {
    const jsm = await jetstreamManager(bus.nc)
    const { state } = await jsm.streams.info('ALERTS')
    const subjects: string[] = []
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await jsm.streams.getMessage('ALERTS', { seq })
      if (message?.json<{ subject: string }>().subject === alertId) subjects.push(message.subject)
    }
    return subjects
  } finally {
    await bus.close()
  }
}

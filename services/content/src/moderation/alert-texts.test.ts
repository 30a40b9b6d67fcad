import { describe, expect, it } from '@jest/globals'
import { editMe } from '@stoa/shared/contracts/agents.js'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { createComment, deleteComment, editComment } from '@stoa/shared/contracts/comments.js'
import { createCommunity, getCommunity } from '@stoa/shared/contracts/communities.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import {
  getAlert,
  listAlerts,
  resolveAlert,
  suspendAgent,
} from '@stoa/shared/contracts/moderation.js'
import { deletePost, editPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import pg from 'pg'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'

let forum: ModeratedForum
let content: ContentUnderTest
let author: Someone
let ada: Someone

inModeratedForum((started) => {
  forum = started
  ;({ content, author, ada } = forum)
})

const TITLE = 'A cold cache made the build flaky'
const HELD = `QUARANTINEME ${'on and on '.repeat(300)} to the END`

async function look(id: string) {
  return (await content.ask(getAlert, { id }, ada)).data
}

/** The newest alert, with its texts. */
async function newest() {
  const { data } = await content.ask(listAlerts, { limit: 1 }, ada)
  return look(data.items[0]?.id as string)
}

/** A public post with an edit that waits for a moderator. */
async function heldEdit(fields: object = { body_md: HELD }) {
  const id = await forum.publicPost()
  await content.ask(editPost, { id, ...fields }, author)
  return { id, alert: await forum.onlyAlert(id) }
}

describe('a moderator who reads alerts', () => {
  it('gets the address of a waiting community, unless its slug leads to another community', async () => {
    const found = (slug: string, title: string) =>
      content.ask(createCommunity, { slug, title }, author)
    const { community } = (await found('in-waiting', 'QUARANTINEME')).data
    const first = await forum.onlyAlert(community.id)
    await found('given-away', 'BLOCKME').catch(() => {})
    const { alert: second } = await newest()
    await found('given-away', 'Somebody else')

    const [waiting, refused] = [await look(first.id), await look(second.id)]

    expect(waiting.alert.target.url).toBe(community.api_url)
    const { data } = await content.ask(getCommunity, { slug: 'in-waiting' }, ada)
    expect(data.community.id).toBe(community.id)
    expect(refused.alert.target.url).toBeNull()
  })

  it('gets the address of a waiting community in the alert.raised event too', async () => {
    const proposed = { slug: 'called-for', title: 'QUARANTINEME' }
    const { community } = (await content.ask(createCommunity, proposed, author)).data

    const { rows } = await content.db.query(
      `SELECT event::json #>> '{data,alert,target,url}' AS url FROM outbox
       WHERE subject = 'alert.raised' AND event::json #>> '{data,alert,target,id}' = $1`,
      [community.id],
    )

    expect(rows).toEqual([{ url: community.api_url }])
  })

  it('gets the whole edit that waits, and the public version of the post', async () => {
    const tags = ['held']
    const { alert } = await heldEdit({ body_md: HELD, tags, edit_note: 'Now with the cause.' })

    const { submission, shown } = await look(alert.id)

    expect(submission).toMatchObject({
      kind: 'post_edit',
      visibility: 'quarantined',
      document: { body_md: HELD, tags, edit_note: 'Now with the cause.' },
    })
    expect(shown).toMatchObject({
      visibility: 'public',
      document: { body_md: 'The cache was cold.', kind: 'result', sources: [] },
    })
  })

  it('gets the texts of an edit and its post, with one read of each', async () => {
    const { alert } = await heldEdit()
    const asked: string[] = []
    const { query } = pg.Client.prototype
    pg.Client.prototype.query = function recording(this: pg.Client, ...args: [{ name?: string }]) {
      asked.push(args[0].name ?? '')
      return Reflect.apply(query, this, args)
    } as typeof query

    await look(alert.id).finally(() => {
      pg.Client.prototype.query = query
    })

    const texts = asked.filter((name) => /^find-(?:target|submission)/.test(name)).sort()
    expect(texts).toEqual(['find-submission', 'find-target-post'])
  })

  it("gets in lists and details the title of a waiting post, a waiting edit, a public post and a comment's post", async () => {
    const title = 'Held <b> \u200b title'
    const { data: held } = await content.post(author, { title, body_md: HELD })
    const { id, alert: edit } = await heldEdit({ title: 'Now otherwise', body_md: HELD })
    const { data } = await content.ask(createComment, { id, body_md: HELD }, author)
    const flagged = await forum.publicPost('FLAGME')
    const comment = await forum.onlyAlert(data.comment.id)
    const ids = [(await forum.onlyAlert(held.post.id)).id, edit.id, comment.id]
    ids.push((await forum.onlyAlert(flagged)).id)

    const { data: list } = await content.ask(listAlerts, { limit: 100 }, ada)
    const listed = ids.map((one) => list.items.find((item) => item.id === one)?.title)
    const shown = await Promise.all(ids.map(async (one) => (await look(one)).alert.title))

    const [first] = listed
    expect(first).toBe('Held ‹b› [U+200B] title')
    expect(listed.slice(1)).toEqual(['Now otherwise', TITLE, TITLE])
    expect(shown).toEqual(listed)
  })

  it('gets no title for a profile, a deleted post or a post of a deleted account', async () => {
    const id = await forum.publicPost('FLAGME')
    const alert = await forum.onlyAlert(id)
    await content.ask(deletePost, { id }, author)
    const profile = await content.register({ bio: 'QUARANTINEME' })
    const gone = await content.register()
    const left = await content.postId(gone, { body_md: 'FLAGME' })
    // A deleted agent's texts are taken down some time after the account.
    await content.db.query(`UPDATE agents SET status = 'deleted' WHERE id = $1`, [gone.agent_id])

    expect((await look(alert.id)).alert.title).toBeNull()
    expect((await look((await forum.onlyAlert(left)).id)).alert.title).toBeNull()
    expect((await look((await forum.onlyAlert(profile.agent_id)).id)).alert.title).toBeNull()
  })

  it.each(['deletes it', 'deletes the account'])(
    "gets no title of a post whose author %s, in alerts about other agents' comments and reports",
    async (how) => {
      const [gone, other] = [await content.register(), await content.register()]
      const id = await content.postId(gone)
      const report = { id, outcome: 'failed' as const, notes: 'FLAGME' }
      const { data } = await content.ask(reproducePost, report, other)
      const held = await content.comment(id, other, { body_md: HELD })
      const removed = await content.comment(id, other, { body_md: 'FLAGME' })
      const alerts: string[] = []
      for (const target of [held.id, removed.id, data.reproduction.id]) {
        alerts.push((await forum.onlyAlert(target)).id)
      }
      for (const alert of alerts.slice(1)) await forum.resolve(alert, 'remove')
      const titles = () => Promise.all(alerts.map(async (one) => (await look(one)).alert.title))
      const before = await titles()

      if (how === 'deletes it') await content.ask(deletePost, { id }, gone)
      // A deleted agent's texts are taken down some time after the account.
      else {
        const closed = `UPDATE agents SET status = 'deleted' WHERE id = $1`
        await content.db.query(closed, [gone.agent_id])
      }

      expect(before).toEqual([TITLE, TITLE, TITLE])
      expect(await titles()).toEqual([null, null, null])
    },
  )

  it('gets every text of an edited comment, a profile, a reproduction, a community and a flag note', async () => {
    const id = await forum.publicPost()
    const other = await content.register({ bio: 'Before.' })
    const { data } = await content.ask(createComment, { id, body_md: 'Before.' }, other)
    const submit: [string, () => Promise<unknown>, object, object | null][] = [
      [
        'comment_edit',
        () => content.ask(editComment, { id: data.comment.id, body_md: HELD }, other),
        { body_md: HELD },
        { body_md: 'Before.' },
      ],
      [
        'profile',
        () => content.ask(editMe, { bio: 'QUARANTINEME' }, other),
        { bio: 'QUARANTINEME', operator: expect.any(String) },
        { bio: 'Before.' },
      ],
      [
        'reproduction',
        () => content.ask(reproducePost, { id, outcome: 'failed', notes: HELD }, other),
        { outcome: 'failed', notes: HELD },
        null,
      ],
      [
        'community',
        () =>
          content.ask(
            createCommunity,
            { slug: 'held-back', title: 'Held', description: 'QUARANTINEME' },
            other,
          ),
        { slug: 'held-back', title: 'Held', description: 'QUARANTINEME' },
        null,
      ],
      [
        'flag_note',
        () =>
          content.ask(createFlag, { target_id: id, reason: 'spam', note: 'QUARANTINEME' }, other),
        { note: 'QUARANTINEME' },
        null,
      ],
    ]
    for (const [kind, send, document, before] of submit) {
      await send()

      const { submission, shown } = await eventually(`the alert about a ${kind}`, async () => {
        const found = await newest()
        return found.submission?.kind === kind && found
      })

      expect(submission).toMatchObject({ visibility: 'quarantined', document })
      expect(shown?.document ?? null).toEqual(before && expect.objectContaining(before))
    }
  })

  it('gets the public address of a comment only while strangers can see the comment', async () => {
    const id = await forum.publicPost()
    const { data } = await content.ask(createComment, { id, body_md: 'The same.' }, author)
    const comment = data.comment.id
    await forum.flag(comment, ada)
    const alert = await forum.onlyAlert(comment)
    const before = await look(alert.id)
    const { data: resolved } = await forum.resolve(alert.id, 'quarantine')

    expect(before.shown?.url).toMatch(
      new RegExp(`/c/\\w+/p/${id}\\?comment=${comment}#${comment}$`),
    )
    expect(resolved.shown).toEqual({ visibility: 'quarantined', url: null })
  })

  it('gets the address of the post or comment that a text answers only while strangers can see it', async () => {
    const id = await forum.publicPost()
    const { data } = await content.ask(createComment, { id, body_md: 'Above.' }, author)
    const parent_id = data.comment.id
    const held = async (body: object) => {
      const sent = await content.ask(createComment, { id, body_md: HELD, ...body }, author)
      return forum.onlyAlert(sent.data.comment.id)
    }
    const [reply, comment] = [await held({ parent_id }), await held({})]
    const aboutOf = async (alert: { id: string }) => (await look(alert.id)).submission?.about_url

    const post = await aboutOf(comment)
    const answered = await aboutOf(reply)
    await content.ask(deleteComment, { id: parent_id }, author)
    const ofDeleted = await aboutOf(reply)
    await content.ask(deletePost, { id }, author)

    expect(post).toMatch(new RegExp(`/c/\\w+/p/${id}$`))
    expect(answered).toBe(`${post}?comment=${parent_id}#${parent_id}`)
    expect(ofDeleted).toBe(post)
    expect(await aboutOf(comment)).toBeNull()
  })

  it('gets the beginning of the post or comment that a text answers, even if a moderator removed it', async () => {
    const id = await forum.publicPost(`The <cache> was cold. ${'on '.repeat(300)}`)
    const other = await content.register()
    const above = await content.ask(createComment, { id, body_md: 'Above.' }, other)
    const parent_id = above.data.comment.id
    const { data } = await content.ask(createComment, { id, parent_id, body_md: HELD }, author)
    const held = await forum.onlyAlert(data.comment.id)
    await content.ask(reproducePost, { id, outcome: 'failed', notes: HELD }, other)
    const report = await newest()
    const aboutOf = async ({ id: of }: { id: string }) => (await look(of)).submission?.about

    const answered = await aboutOf(held)
    const ofReport = report.submission?.about
    await forum.flag(id, ada)
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')
    const ofRemoved = await aboutOf(held)
    await content.ask(deleteComment, { id: parent_id }, other)
    const ofDeleted = await aboutOf(held)
    await content.ask(deletePost, { id }, author)

    const said = { agent_handle: other.handle, visibility: 'public', excerpt: '> Above.' }
    expect(answered).toEqual({ type: 'comment', id: parent_id, ...said })
    expect(ofReport).toMatchObject({ type: 'post', id, agent_handle: author.handle })
    expect(ofReport?.excerpt).toMatch(
      /^> A cold cache made the build flaky\n> The ‹cache› was cold. on/,
    )
    expect([...(ofReport?.excerpt ?? '')].length).toBeLessThan(420)
    expect(ofRemoved).toEqual({ ...answered, visibility: 'removed' })
    expect(ofDeleted).toMatchObject({ type: 'post', id, visibility: 'removed' })
    expect(await aboutOf(held)).toBeNull()
    expect((await heldEdit()).alert && (await newest()).submission?.about).toBeNull()
  })

  it('gets in the answer to a decision only the visibility of the texts, not the texts', async () => {
    const id = await forum.publicPost('Said above.')
    const { data } = await content.ask(createComment, { id, body_md: 'FLAGME below.' }, author)
    const alert = await forum.onlyAlert(data.comment.id)
    const { key: _, ...caller } = ada
    const decision = { id: alert.id, action: 'remove' as const, note: 'Seen.' }
    const meta = { requestId: 'test', remainingMs: resolveAlert.timeoutMs, caller }

    const { json } = await content.gateway.requestRaw(resolveAlert, decision, meta)

    // The bytes as sent, because parsing would drop a field that the contract does not name.
    const { submission, shown } = JSON.parse(Buffer.from(json).toString())
    expect([submission.visibility, shown]).toEqual([
      'removed',
      { visibility: 'removed', url: null },
    ])
    expect(JSON.stringify(submission)).not.toContain('Said above.')
    expect(submission).not.toHaveProperty('document')
  })

  it('gets no secret of a held edit, and none of its body in a list', async () => {
    const { alert } = await heldEdit({ body_md: `${HELD} SECRET-abcdefgh` })

    const { submission } = await look(alert.id)
    const { data } = await content.ask(listAlerts, { limit: 1 }, ada)

    expect(submission?.document?.body_md).toBe(`${HELD} [redacted]`)
    expect(JSON.stringify(data)).not.toContain('END')
  })

  it('gets no secret in the excerpt of an alert, which is published on a stream', async () => {
    const id = await content.postId(author, { body_md: 'QUARANTINEME SECRET-abcdefgh' })

    const { excerpt } = await forum.onlyAlert(id)

    expect(excerpt).toContain('█'.repeat('SECRET-abcdefgh'.length))
  })

  it('sees that the author has replaced or deleted the text since', async () => {
    const { id, alert } = await heldEdit()
    await content.ask(editPost, { id, body_md: 'Warm now.' }, author)
    const replaced = await look(alert.id)
    await content.ask(deletePost, { id }, author)
    const deleted = await look(alert.id)

    expect(replaced).toMatchObject({
      submission: { visibility: 'superseded', document: null },
      shown: { visibility: 'public', document: { body_md: 'Warm now.' } },
    })
    expect(deleted.shown).toEqual({ visibility: 'deleted', url: null, document: null })
  })

  it('can only dismiss an alert about a text that its author has deleted', async () => {
    const { id, alert } = await heldEdit()

    await content.ask(deletePost, { id }, author)

    expect((await look(alert.id)).actions).toEqual(['dismiss'])
  })

  it('sees that the author has published another text in place of the flagged one', async () => {
    const id = await forum.publicPost('FLAGME')
    const { data } = await content.ask(createComment, { id, body_md: 'FLAGME' }, author)
    const comment = data.comment.id
    const report = { id, outcome: 'failed' } as const
    const { data: first } = await content.ask(reproducePost, { ...report, notes: 'FLAGME' }, ada)
    const things = [id, comment, first.reproduction.id]
    const alerts = await Promise.all(things.map((thing) => forum.onlyAlert(thing)))
    const replaced = async () => {
      const looks = await Promise.all(alerts.map((alert) => look(alert.id)))
      return looks.map(({ submission }) => [submission?.visibility, submission?.replaced])
    }
    const before = await replaced()

    await content.ask(editPost, { id, body_md: 'Clean.' }, author)
    await content.ask(editComment, { id: comment, body_md: 'Clean.' }, author)
    await content.ask(reproducePost, { ...report, notes: 'Clean.' }, ada)

    expect(before).toEqual(things.map(() => ['public', false]))
    expect(await replaced()).toEqual(things.map(() => ['public', true]))
  })

  it('sees that a flagged edit is the text that is public now', async () => {
    const id = await forum.publicPost()
    await content.ask(editPost, { id, body_md: 'FLAGME' }, author)

    const { submission } = await look((await forum.onlyAlert(id)).id)

    expect(submission).toMatchObject({ visibility: 'public', replaced: false })
  })
})

describe('the visibility of an alert, in the list and in its details,', () => {
  async function visibilityOf(targetId: string) {
    const { data } = await content.ask(listAlerts, { limit: 100 }, ada)
    const listed = data.items.find(({ target }) => target.id === targetId)
    const alone = await look(listed?.id as string)
    expect(alone.alert.visibility).toBe(listed?.visibility)
    return listed?.visibility
  }

  it('is that of the submission until the submission is public', async () => {
    const held = await content.postId(author, { body_md: HELD })
    const refused = await content.postId(author, { body_md: HELD })
    await forum.resolve((await forum.onlyAlert(refused)).id, 'remove')
    const edited = await heldEdit()

    expect(await visibilityOf(held)).toBe('quarantined')
    expect(await visibilityOf(refused)).toBe('rejected')
    expect(await visibilityOf(edited.id)).toBe('quarantined')

    await content.ask(editPost, { id: edited.id, body_md: 'Warm now.' }, author)

    expect(await visibilityOf(edited.id)).toBe('superseded')
  })

  it('is that of the target once the submission was public', async () => {
    const [live, hidden, removed, deleted] = await Promise.all(
      Array.from({ length: 4 }, () => forum.publicPost('FLAGME')),
    )
    const id = hidden as string
    const comment = await content.ask(createComment, { id, body_md: 'FLAGME' }, author)
    await forum.resolve((await forum.onlyAlert(id)).id, 'quarantine')
    await forum.resolve((await forum.onlyAlert(removed as string)).id, 'remove')
    await content.ask(deletePost, { id: deleted as string }, author)

    expect(await visibilityOf(live as string)).toBe('public')
    expect(await visibilityOf(id)).toBe('quarantined')
    expect(await visibilityOf(comment.data.comment.id)).toBe('quarantined')
    expect(await visibilityOf(removed as string)).toBe('removed')
    expect(await visibilityOf(deleted as string)).toBe('deleted')
  })

  it('is that of the post if a published edit of the post was flagged', async () => {
    const id = await forum.publicPost()
    await content.ask(editPost, { id, body_md: 'FLAGME' }, author)
    expect(await visibilityOf(id)).toBe('public')
    const alert = await forum.onlyAlert(id)

    const { data } = await forum.resolve(alert.id, 'remove')

    expect(await visibilityOf(id)).toBe('removed')
    expect(data.submission?.visibility).toBe('removed')
    expect((await look(alert.id)).submission?.visibility).toBe('removed')
  })

  it('is shown for profiles and reproductions, and is null for a suspension', async () => {
    const other = await content.register({ bio: 'Before.' })
    await content.ask(editMe, { bio: 'FLAGME' }, other)
    const report = { id: await forum.publicPost(), outcome: 'failed', notes: 'FLAGME' } as const
    const made = await content.ask(reproducePost, report, other)
    const suspended = await content.register()
    const { data } = await content.ask(suspendAgent, { handle: suspended.handle }, ada)
    const appeal = { case_id: data.case_id as string, reason: 'I did nothing.' }
    await content.ask(createAppeal, appeal, suspended)

    expect(await visibilityOf(other.agent_id)).toBe('public')
    expect(await visibilityOf(made.data.reproduction.id)).toBe('public')
    expect(await visibilityOf(suspended.agent_id)).toBeNull()
  })
})

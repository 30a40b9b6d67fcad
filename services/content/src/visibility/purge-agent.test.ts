import { describe, expect, it } from '@jest/globals'
import { deleteMe, getAgent } from '@stoa/shared/contracts/agents.js'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { createCommunity, editCommunity } from '@stoa/shared/contracts/communities.js'
import { getAlert, listAlerts } from '@stoa/shared/contracts/moderation.js'
import { editPost } from '@stoa/shared/contracts/posts.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { type Database, openDatabase } from '../database.ts'
import { SILENT } from '../notices.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'
import { purgeAgent } from './purge-agent.ts'

let forum: ModeratedForum
let content: ContentUnderTest

inModeratedForum((started) => {
  forum = started
  ;({ content } = forum)
})

/** A public post whose text and later edit both called for moderators, with both alerts. */
async function flaggedPost() {
  const author = await content.register()
  const { data } = await content.post(author, { body_md: 'FLAGME' })
  const { id } = data.post
  await content.ask(editPost, { id, body_md: 'FLAGME again' }, author)
  const [ofEdit = '', ofPost = ''] = (await forum.alertsOn(id)).map((alert) => alert.id)
  return { author, id, ofEdit, ofPost }
}

function deleteAgent(agent: Someone) {
  return content.ask(deleteMe, { confirm_handle: agent.handle }, agent)
}

async function visibility(id: string): Promise<string> {
  const { rows } = await content.db.query('SELECT visibility FROM posts WHERE id = $1', [id])
  return rows[0].visibility
}

describe('the content of a deleted agent', () => {
  it.each(['remove', 'quarantine'] as const)(
    'stays deleted even if a moderator hides it at the same moment: %s',
    async (action) => {
      const { author, id, ofEdit, ofPost } = await flaggedPost()
      const release = await content.hold('SELECT 1 FROM post_stats WHERE post_id = $1 FOR UPDATE', [
        id,
      ])
      const hiding = forum.resolve(ofPost, action)
      await eventually('the moderator waits', async () => (await content.lockWaits()) === 1)
      const deleting = deleteAgent(author)
      // The sweep may have come to the same text, and then waits as well.
      await eventually('the deletion waits', async () => (await content.lockWaits()) >= 2)
      await release()

      await Promise.all([hiding, deleting])

      expect(await visibility(id)).toBe('deleted')
      const { data } = await content.ask(getAlert, { id: ofEdit }, forum.bob)
      expect(data.shown).toEqual({ visibility: 'deleted', url: null, document: null })
      await expect(forum.decideAgain(ofEdit, 'approve', forum.bob)).rejects.toMatchObject({
        code: 'already_decided',
      })
      await expect(forum.read(id)).rejects.toMatchObject({ code: 'removed' })
    },
  )

  it('cannot be shown again by a moderator before it is taken down', async () => {
    const { author, id, ofEdit, ofPost } = await flaggedPost()
    await forum.resolve(ofPost, 'remove')
    await content.db.query(
      `CREATE FUNCTION keep_post() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'not now'; END $$;
       CREATE TRIGGER keep_post BEFORE UPDATE ON posts
         FOR EACH ROW WHEN (NEW.visibility = 'deleted') EXECUTE FUNCTION keep_post()`,
    )
    try {
      await deleteAgent(author)

      const { data } = await forum.resolve(ofEdit, 'approve', forum.bob)

      expect(data.shown?.visibility).toBe('removed')
      await expect(forum.read(id)).rejects.toMatchObject({ code: 'removed' })
    } finally {
      await content.db.query('DROP FUNCTION keep_post CASCADE')
    }
    await eventually('the sweep takes it down', async () => (await visibility(id)) === 'deleted')
  })

  it('is looked up only a few times, however many comments there are', async () => {
    const author = await content.register()
    const { id } = (await content.post(await content.register())).data.post
    await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        content.ask(createComment, { id, body_md: `Seen ${n} times.` }, author),
      ),
    )
    const log = createLogger('test', 'silent')
    const opened = openDatabase(content.databaseUrl, 2, log)
    let looks = 0
    const db: Database = {
      ...opened,
      read: (run) => {
        looks++
        return opened.read(run)
      },
    }

    const deps = { db, log, notices: SILENT, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' }
    const isGone = await purgeAgent(deps, author.agent_id, performance.now() + 30_000)
    await opened.close()

    expect(isGone).toBe(true)
    const { rows } = await content.db.query(
      `SELECT DISTINCT visibility FROM comments WHERE agent_id = $1`,
      [author.agent_id],
    )
    expect(rows).toEqual([{ visibility: 'deleted' }])
    expect(looks).toBeLessThan(3)
  })

  it('has all its alerts dismissed, except those about a community that stays', async () => {
    const { author, ofEdit, ofPost } = await flaggedPost()
    const { agent } = (await content.ask(getAgent, { handle: author.handle })).data
    const slug = author.handle
    const made = await content.ask(
      createCommunity,
      { slug, title: 'A place', description: '' },
      author,
    )
    for (const id of [agent.id, made.data.community.id]) await forum.flag(id, forum.ada)
    await content.db.query(
      `INSERT INTO alerts (id, severity, source, target_type, target_id, agent_handle, created_at, status)
       SELECT 'alr_' || md5(n::text), 'low', 'scanner', 'post', 'pst_' || n, $1,
         now() - n / 7 * interval '1 second', 'open'
       FROM generate_series(1, 250) AS n`,
      [author.handle],
    )

    await deleteAgent(author)

    const about = { agent: author.handle, limit: 100 }
    const open = await content.ask(listAlerts, { ...about, status: 'open' }, forum.ada)
    expect(open.data.items.map(({ target }) => target.id)).toEqual([made.data.community.id])
    for (const id of [ofEdit, ofPost]) {
      const { alert } = (await content.ask(getAlert, { id }, forum.ada)).data
      expect(alert).toMatchObject({
        status: 'resolved',
        resolution: 'dismiss',
        resolved_by: author.handle,
        note: 'The author has deleted the account.',
      })
    }
    const { rows } = await content.db.query(
      `SELECT count(*)::int AS told FROM outbox WHERE subject = 'alert.resolved'
         AND event::json #>> '{data,alert,resolved_by}' = $1`,
      [author.handle],
    )
    expect(rows).toEqual([{ told: 253 }])
  })

  it('is removed from alerts about edits of a community that stays', async () => {
    const author = await content.register()
    const slug = author.handle
    const found = { slug, title: 'A place', description: 'FLAGME' }
    const { id } = (await content.ask(createCommunity, found, author)).data.community
    const ofPublic = await forum.onlyAlert(id)
    for (const description of ['QUARANTINEME', 'QUARANTINEME again']) {
      await content.ask(editCommunity, { slug, description }, author)
    }

    await deleteAgent(author)

    const [second, first, stays] = await forum.alertsOn(id)
    const gone = {
      status: 'resolved',
      resolution: 'dismiss',
      excerpt: '',
      findings: [],
      title: null,
    }
    expect([second, first]).toMatchObject([gone, gone])
    const { status, excerpt, findings } = ofPublic
    expect(excerpt).not.toBe('')
    expect(stays).toMatchObject({ id: ofPublic.id, status, excerpt, findings, title: 'A place' })
  })

  it('has no open alert after a flag that was raised while the account was being deleted', async () => {
    const author = await content.register()
    const id = await content.postId(author)
    const twin = await content.db.connect()
    await twin.query('BEGIN')
    await twin.query(
      `INSERT INTO flags (id, agent_id, target_id, reason, created_at)
       VALUES ('flg_twin', $1, $2, 'spam', now())`,
      [forum.ada.agent_id, id],
    )
    const flagging = Promise.allSettled([forum.flag(id, forum.ada)])
    await eventually('the flag waits', async () => (await content.lockWaits()) === 1)
    let isGone = false
    const deleting = deleteAgent(author).then(() => {
      isGone = true
    })
    await eventually(
      'the account is gone, or waits for the flag',
      async () => isGone || (await content.lockWaits()) === 2,
    )
    await twin.query('ROLLBACK')
    twin.release()
    await Promise.all([flagging, deleting])

    const about = { agent: author.handle, status: 'open' } as const
    expect((await content.ask(listAlerts, about, forum.ada)).data.items).toEqual([])
  })
})

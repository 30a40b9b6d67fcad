import { describe, expect, it } from '@jest/globals'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { getAlert } from '@stoa/shared/contracts/moderation.js'
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

/** A public post whose edit called for moderators as its first text had, with both alerts. */
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

describe('what a deleted agent wrote', () => {
  it.each(['remove', 'quarantine'] as const)(
    'is gone for good, though a moderator hides it meanwhile: %s',
    async (action) => {
      const { author, id, ofEdit, ofPost } = await flaggedPost()
      const counting = await content.db.connect()
      await counting.query('BEGIN')
      await counting.query('SELECT 1 FROM post_stats WHERE post_id = $1 FOR UPDATE', [id])
      const hiding = forum.resolve(ofPost, action)
      await eventually('the moderator waits', async () => (await content.lockWaits()) === 1)
      const deleting = deleteAgent(author)
      // The sweep may have come to the same text, and waits as well.
      await eventually('the deletion waits', async () => (await content.lockWaits()) >= 2)
      await counting.query('ROLLBACK')
      counting.release()

      await Promise.all([hiding, deleting])

      expect(await visibility(id)).toBe('deleted')
      const { data } = await content.ask(getAlert, { id: ofEdit }, forum.bob)
      expect(data.shown).toEqual({ visibility: 'deleted', url: null, document: null })
      await forum.resolve(ofEdit, 'approve', forum.bob)
      await expect(forum.read(id)).rejects.toMatchObject({ code: 'removed' })
    },
  )

  it('is brought back by no moderator before it is taken down', async () => {
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

  it('is looked for a few times, however much it is, since each look goes through what is gone', async () => {
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

    const deps = { db, log, notices: SILENT, hot: HOT_DEFAULTS }
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
})

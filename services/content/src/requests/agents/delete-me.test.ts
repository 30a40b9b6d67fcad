import { describe, expect, it } from '@jest/globals'
import * as agents from '@stoa/shared/contracts/agents.js'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { createComment, listComments } from '@stoa/shared/contracts/comments.js'
import { createCommunity, getCommunity } from '@stoa/shared/contracts/communities.js'
import { DecidedNotice, SUBMISSION_DECIDED } from '@stoa/shared/contracts/events.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import * as flags from '@stoa/shared/contracts/flags.js'
import {
  type Alert,
  getAlert,
  listAlerts,
  resolveAlert,
} from '@stoa/shared/contracts/moderation.js'
import { getPost, markDuplicate, reproducePost } from '@stoa/shared/contracts/posts.js'
import { searchAll } from '@stoa/shared/contracts/search.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import { submit } from '../../tables/submissions.ts'
import type { ContentUnderTest } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { AS_CONTENT, recordStatements, rowsRead, runByPlan } from '../../testing/query-plans.ts'
import { drift } from '../../testing/recount.ts'
import { caseOf, tellVerdict } from '../../testing/tell-verdict.ts'
import { writeOnce } from '../../writes/write-once.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

describe('the deletion of an account', () => {
  it("takes the agent's comments, reproductions and suggestions out of every count", async () => {
    const [agent, other] = [await content.register(), await content.register()]
    const { data } = await content.post(other)
    const { id } = data.post
    const comment = await content.ask(createComment, { id, body_md: 'Mine.' }, agent)
    await content.ask(
      createComment,
      { id, body_md: 'An answer.', parent_id: comment.data.comment.id },
      other,
    )
    await content.ask(reproducePost, { id, outcome: 'reproduced', notes: 'Same.' }, agent)
    await content.ask(createSuggestion, { title: 'More', body_md: 'Please.' }, agent)

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    const after = await content.ask(getPost, { id })
    expect(after.data.post).toMatchObject({ comment_count: 1, reproduced_count: 0 })
    expect(after.data.comments[0]).toMatchObject({ deleted: true, body_md: '' })
    expect(await drift(content.db)).toEqual([])
    const { rows } = await content.db.query('SELECT purging FROM agents WHERE id = $1', [
      agent.agent_id,
    ])
    expect(rows).toEqual([{ purging: false }])
  })

  async function found(agentId: string, many: number, name: string): Promise<void> {
    await content.db.query(
      `WITH made AS (
         INSERT INTO communities (id, slug, title, description, agent_id, created_at)
         SELECT 'com_' || md5($1 || n), $3 || n, 'Many ' || n, '', $1, now()
         FROM generate_series(1, $2::int) AS n RETURNING slug
       ) INSERT INTO community_stats (slug, last_post_at) SELECT slug, now() FROM made`,
      [agentId, many, name],
    )
  }

  async function untold(agentId: string): Promise<number> {
    const { rows } = await content.db.query(
      'SELECT count(*)::int AS n FROM communities WHERE agent_id = $1 AND revision = 1',
      [agentId],
    )
    return rows[0].n
  }

  it('announces each community that the agent founded, however many there are', async () => {
    const agent = await content.register()
    const many = 1_203
    await found(agent.agent_id, many, 'many-')
    const { next_cursor: after } = (await content.ask(listChanges, { after: 'now' })).data

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    await eventually('all are told of', async () => (await untold(agent.agent_id)) === 0)
    const { rows } = await content.db.query(
      `SELECT count(DISTINCT target_id)::int AS told FROM changes
       WHERE type = 'community.updated' AND community_slug LIKE 'many-%'`,
    )
    expect(rows).toEqual([{ told: many }])
    const types = ['community.updated', 'agent.removed'] as const
    const told = await content.ask(listChanges, { after, types: [...types], limit: 500 })
    expect(told.data.items[0]).toMatchObject({ community: { agent_handle: 'deleted' } })
  })

  it('announces no community that a moderator has removed', async () => {
    const agent = await content.register()
    await found(agent.agent_id, 1, 'removed-')
    await content.db.query(`UPDATE communities SET visibility = 'removed' WHERE slug = 'removed-1'`)

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    expect(await untold(agent.agent_id)).toBe(1)
  })

  it('announces the remaining communities even if one of the first is hidden meanwhile', async () => {
    const agent = await content.register()
    await found(agent.agent_id, 503, 'hidden-')
    // Hides a community between the deletion and the work after it, as a moderator may.
    await content.db.query(
      `CREATE FUNCTION hide_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         UPDATE communities SET visibility = 'removed' WHERE id =
           (SELECT min(id) FROM communities WHERE agent_id = NEW.id); RETURN NULL; END $$;
       CREATE CONSTRAINT TRIGGER hide_one AFTER UPDATE ON agents DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW WHEN (NEW.purging AND NOT OLD.purging) EXECUTE FUNCTION hide_one()`,
    )
    try {
      await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)
    } finally {
      await content.db.query('DROP FUNCTION hide_one CASCADE')
    }

    await eventually('all are told of', async () => (await untold(agent.agent_id)) === 0)
  })

  it('leaves a slug to the community that took it after a proposal of the agent was refused', async () => {
    const [agent, founder] = [await content.register(), await content.register()]
    const slug = 'shared-builds'
    const refused = content.ask(createCommunity, { slug, title: 'BLOCKME' }, agent)
    await expect(refused).rejects.toMatchObject({ code: 'content_rejected' })
    await content.ask(createCommunity, { slug, title: 'Shared builds' }, founder)

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    const again = content.ask(createCommunity, { slug, title: 'The same' }, founder)
    await expect(again).rejects.toMatchObject({ code: 'slug_taken' })
  })

  it('does not wait for communities beyond the first batch, which the sweep announces', async () => {
    const agent = await content.register()
    await found(agent.agent_id, 503, 'late-')
    const release = await content.hold(
      `UPDATE communities SET revision = revision WHERE id =
         (SELECT max(id) FROM communities WHERE agent_id = $1)`,
      [agent.agent_id],
    )
    try {
      await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)
    } finally {
      await release()
    }

    await eventually('all are told of', async () => (await untold(agent.agent_id)) === 0)
  })

  it('answers that it is done even if the work after it fails, and the sweep repeats that work', async () => {
    const agent = await content.register()
    await content.db.query(
      `CREATE FUNCTION keep_purging() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'not now'; END $$;
       CREATE TRIGGER keep_purging BEFORE UPDATE ON agents
         FOR EACH ROW WHEN (OLD.purging AND NOT NEW.purging) EXECUTE FUNCTION keep_purging()`,
    )
    try {
      const { data } = await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

      expect(data.agent.visibility).toBe('deleted')
    } finally {
      await content.db.query('DROP FUNCTION keep_purging CASCADE')
    }
    await eventually('the sweep ends it', async () => {
      const { rows } = await content.db.query('SELECT purging FROM agents WHERE id = $1', [
        agent.agent_id,
      ])
      return !rows[0].purging
    })
  })

  it('does not keep other agents from writing while it waits for a locked community', async () => {
    const [agent, other] = [await content.register(), await content.register()]
    const slug = `held-${newId('case').slice(-8)}`
    await content.ask(createCommunity, { slug, title: `Held ${slug}` }, agent)
    const release = await content.hold(
      'UPDATE communities SET revision = revision WHERE slug = $1',
      [slug],
    )
    const deleting = content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)
    try {
      await eventually('the deletion waits', async () => (await content.lockWaits()) === 1)

      expect((await content.post(other)).meta.outcome).toBe('created')
    } finally {
      await release()
    }
    await deleting
  })

  it("removes the agent's name as founder from a community, which stays", async () => {
    const agent = await content.register()
    const slug = `left-${newId('case').slice(-8)}`
    await content.ask(createCommunity, { slug, title: `Left ${slug}` }, agent)
    const { next_cursor: after } = (await content.ask(listChanges, { after: 'now' })).data

    const { meta } = await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    expect(meta.tags).toEqual(expect.arrayContaining([`community:${slug}`, 'communities']))
    const { community } = (await content.ask(getCommunity, { slug })).data
    const [told] = (await content.ask(listChanges, { after, types: ['community.updated'] })).data
      .items
    expect(community.agent_handle).toBe('deleted')
    expect(told).toMatchObject({ community, target_id: community.id })
    expect(await content.ask(searchAll, { type: 'community', agent: agent.handle })).toMatchObject({
      data: { items: [] },
    })
  })

  it("removes the agent's name from mentions and from its mark of a duplicate", async () => {
    const [agent, other] = [await content.register(), await content.register()]
    const body_md = `Thanks, @${other.handle} and @${agent.handle} and @${other.handle}.`
    const { id } = (await content.post(other, { body_md })).data.post
    const canonical_id = await content.postId(other)
    await content.ask(createComment, { id, body_md }, other)
    await content.ask(markDuplicate, { id, canonical_id }, agent)
    const named = async () => {
      const { post, comments } = await content.detail(id)
      const listed = (await content.ask(listComments, { id })).data.items
      return [post, ...comments, ...listed].map(({ mentions }) => mentions.map((m) => m.handle))
    }
    const both = [other.handle, agent.handle]
    expect(await named()).toEqual([both, both, both])

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    const left = [other.handle]
    expect(await named()).toEqual([left, left, left])
    const { post } = await content.detail(id)
    expect([post.duplicate_of_id, post.duplicate_marked_by]).toEqual([canonical_id, null])
  })

  it("takes other agents' comments and reports on its posts out of their authors' counts", async () => {
    const [agent, other] = [await content.register(), await content.register()]
    const { id } = (await content.post(agent)).data.post
    const theirs = await content.postId(other)
    await content.ask(createComment, { id, body_md: 'Theirs.' }, other)
    await content.ask(createComment, { id: theirs, body_md: 'Theirs too.' }, other)
    await content.ask(reproducePost, { id, outcome: 'reproduced', notes: 'Same.' }, other)

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    const after = (await content.ask(agents.getAgent, { handle: other.handle })).data.agent
    expect(after).toMatchObject({ post_count: 1, comment_count: 1, reproduction_count: 0 })
    expect(await drift(content.db)).toEqual([])
  })

  it("removes the notes of the agent's flags, so that moderators can no longer read or restore them", async () => {
    const [agent, other] = [await content.register(), await content.register()]
    const moderator = await content.moderator()
    const { id } = (await content.post(other)).data.post
    const note = { target_id: id, reason: 'spam', note: 'FLAGME: private words.' } as const
    const { flag } = (await content.ask(flags.createFlag, note, agent)).data
    const alertOn = async (targetId: string) => {
      const { items } = (await content.ask(listAlerts, { limit: 100 }, moderator)).data
      return items.find(({ target }) => target.id === targetId)
    }
    const { id: noteAlert } = await eventually('the note is read', () => alertOn(flag.id))
    await content.ask(flags.createFlag, { target_id: id, reason: 'spam' }, moderator)
    const read = async (alertId: string) =>
      (await content.ask(getAlert, { id: alertId }, moderator)).data
    const flagged = (await alertOn(id))?.id as string
    expect(JSON.stringify([await read(flagged), await read(noteAlert)])).toContain('private words')

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)
    const late = content.ask(resolveAlert, { id: noteAlert, action: 'quarantine' }, moderator)
    await expect(late).rejects.toMatchObject({ code: 'already_decided' })

    const after = [await read(flagged), await read(noteAlert)]
    for (const { flags: shown } of after) {
      expect(shown.find((one) => one.id === flag.id)).toMatchObject({ note: '' })
    }
    expect(after[1]?.submission).toMatchObject({ visibility: 'deleted', document: null })
    expect(JSON.stringify(after)).not.toContain('private words')
  })

  it("removes the agent's texts from alerts, except the texts of communities, which stay", async () => {
    const agent = await content.register()
    const moderator = await content.moderator()
    const slug = `said-${newId('case').slice(-8)}`
    const founded = { slug, title: `FLAGME ${slug}` }
    const { community } = (await content.ask(createCommunity, founded, agent)).data
    const written = [
      await content.postId(agent, { body_md: 'FLAGME: the words of a post.' }),
      await content.postId(agent, { body_md: 'QUARANTINEME: words that wait.' }),
      community.id,
    ]
    const alerts = async () => {
      const { items } = (await content.ask(listAlerts, { limit: 100 }, moderator)).data
      return written.map((id) => items.find(({ target }) => target.id === id))
    }
    const [first, , third] = await alerts()
    expect(first?.excerpt).toContain('the words of a post')
    await content.ask(resolveAlert, { id: first?.id as string, action: 'dismiss' }, moderator)

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    const gone = { agent_handle: agent.handle, excerpt: '', findings: [] }
    const { excerpt, findings } = third as Alert
    expect(await alerts()).toMatchObject([gone, gone, { excerpt, findings }])
  })

  it("removes the reason of the agent's appeal from its alert", async () => {
    const agent = await content.register()
    const moderator = await content.moderator()
    const { data } = await content.post(agent, { body_md: 'QUARANTINEME: words that wait.' })
    const { case_id } = data.post
    await content.ask(createAppeal, { case_id: String(case_id), reason: 'A quotation.' }, agent)
    const appeal = async () => {
      const { items } = (await content.ask(listAlerts, { source: 'appeal' }, moderator)).data
      return items.find((alert) => alert.case_id === case_id)
    }
    expect((await appeal())?.excerpt).toContain('A quotation.')

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    expect((await appeal())?.excerpt).toBe('')
  })

  it('waits for a verdict that is being applied before it locks the account', async () => {
    const { data } = await content.post(await content.register())
    const { id } = data.post
    content.scanner.hold()
    const agent = await content.register()
    const input = { id, body_md: 'Mine.' }
    const comment = await content.ask(createComment, input, agent, { respondAsync: true })

    // The verdict is applied except for the post's counters, which it locks before its author's
    // account.
    const release = await content.hold('SELECT 1 FROM post_stats WHERE post_id = $1 FOR UPDATE', [
      id,
    ])
    const caseId = await caseOf(content, comment.data.comment.id)
    await tellVerdict(content, { caseId, verdict: 'allow' })
    await eventually('the verdict waits', async () => (await content.lockWaits()) === 1)
    const deleting = content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)
    await eventually('the deletion waits', async () => (await content.lockWaits()) === 2)
    const isLocked = await content.isLocked(agent)
    await release()
    await deleting
    content.scanner.release()

    expect(isLocked).toBe(false)
  })

  it('waits for a write of the agent that is under way, and deletes that text as well', async () => {
    content.scanner.hold()
    const agent = await content.register()
    const { key: _, ...caller } = agent
    const meta = { requestId: 'test', remainingMs: 5_000, caller }
    const elsewhere = content.openDatabase(1)
    let deleting: Promise<unknown> = Promise.resolve()

    await writeOnce(elsewhere, meta, { resourceId: 'x', caseId: null }, async (tx) => {
      submit(tx, {
        id: newId('case'),
        kind: 'suggestion',
        target_id: newId('suggestion'),
        post_id: null,
        agent_id: agent.agent_id,
        document: { id: newId('suggestion'), title: 'More', body_md: 'Please.' },
      })
      deleting = content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)
      await eventually('the deletion waits', async () => (await content.lockWaits()) === 1)
      return undefined
    })
    await deleting
    content.scanner.release()

    const { rows } = await content.db.query(
      'SELECT kind, visibility, document FROM submissions WHERE agent_id = $1 ORDER BY id',
      [agent.agent_id],
    )
    const gone = { visibility: 'deleted', document: null }
    expect(rows).toEqual(['profile', 'suggestion'].map((kind) => ({ kind, ...gone })))
  })

  it('wakes the writes of the agent that wait for verdicts', async () => {
    const agent = await content.register()
    content.scanner.hold()
    const { post } = (await content.post(agent, {}, { respondAsync: true })).data
    const woken: string[] = []
    const stop = content.gateway.hear(SUBMISSION_DECIDED, (notice) => {
      woken.push(...DecidedNotice.parse(notice).case_ids)
    })
    await content.gateway.settled()

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    await content.gateway.settled()
    stop()
    content.scanner.release()
    expect(woken).toContain(await caseOf(content, post.id))
  })

  it("refuses concurrent requests with the agent's key, and leaves no live key", async () => {
    const agent = await content.register()
    const input = { confirm_handle: agent.handle }
    const release = await content.hold('SELECT 1 FROM agents WHERE id = $1 FOR NO KEY UPDATE', [
      agent.agent_id,
    ])

    const first = content.ask(agents.deleteMe, input, agent)
    await eventually('the deletion waits', async () => (await content.lockWaits()) === 1)
    const others = Promise.allSettled([
      content.ask(agents.deleteMe, input, agent),
      content.ask(agents.createKey, {}, agent),
    ])
    await eventually('the others wait', async () => (await content.lockWaits()) === 3)
    await release()
    await first

    const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'key_revoked' }) }
    expect(await others).toEqual([refused, refused])
    const { rows } = await content.db.query(
      'SELECT 1 FROM api_keys WHERE agent_id = $1 AND revoked_at IS NULL',
      [agent.agent_id],
    )
    expect(rows).toEqual([])
  })

  it('does not read all submissions that were published', async () => {
    const agent = await content.register()
    await content.db.query(
      `INSERT INTO submissions (id, kind, target_id, agent_id, visibility, submitted_at, decided_at,
         requested_at)
       SELECT 'cas_' || md5($1 || n), 'comment', 'cmt_' || n, $1, 'public', now(), now(), now()
       FROM generate_series(1, 4000) AS n`,
      [agent.agent_id],
    )
    await content.db.query('ANALYZE submissions')
    const statements = recordStatements()
    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)
    const client = await content.db.connect()
    await client.query(`${AS_CONTENT}; BEGIN`)

    const name = 'end-cases-of-agent'
    const plan = await runByPlan(client, name, statements.get(name) ?? { text: '', values: [] })

    client.release(true)
    expect(rowsRead(plan).get('submissions')).toBeLessThan(100)
  })

  it('ends thousands of refused submissions in batches of at most 1,000', async () => {
    const agent = await content.register()
    const many = 5_300
    await content.db.query(
      `INSERT INTO submissions (id, kind, target_id, agent_id, visibility, document, submitted_at,
         decided_at, requested_at)
       SELECT 'cas_' || md5($1 || n), 'comment', 'cmt_' || n, $1, 'rejected', '{"body_md": "No."}',
         now(), now(), now()
       FROM generate_series(1, $2::int) AS n`,
      [agent.agent_id, many],
    )

    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    const { rows } = await eventually('all are ended', async () => {
      const ended = await content.db.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM submissions
         WHERE agent_id = $1 AND visibility = 'deleted' AND document IS NULL
         GROUP BY xmin::text ORDER BY n DESC`,
        [agent.agent_id],
      )
      return ended.rows.reduce((sum, { n }) => sum + n, 0) >= many && ended
    })
    expect(rows[0]?.n).toBeLessThanOrEqual(1_000)
  })

  it('takes down a post that is published while its case, one of more than a batch, is locked', async () => {
    const agent = await content.register()
    const id = await content.postId(agent)
    const caseOf = `(SELECT case_id FROM posts WHERE id = '${id}')`
    await content.db.query(
      `INSERT INTO submissions (id, kind, target_id, agent_id, visibility, document, submitted_at,
         decided_at, requested_at)
       SELECT 'cas_00' || md5($1 || n), 'comment', 'cmt_' || n, $1, 'rejected', '{}', now(), now(), now()
       FROM generate_series(1, 1000) AS n`,
      [agent.agent_id],
    )
    // As before a verdict whose transaction has already read that the account is active.
    await content.db.query(`UPDATE posts SET visibility = 'deleted' WHERE id = '${id}';
      UPDATE submissions SET visibility = 'pending', document = '{}' WHERE id = ${caseOf}`)
    const verdict = await content.db.connect()
    await verdict.query(`BEGIN; SELECT 1 FROM submissions WHERE id = ${caseOf} FOR UPDATE`)

    const deletion = content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)
    await eventually('the case is waited for', async () => {
      const { rows } = await content.db.query(
        `SELECT 1 FROM agents WHERE id = $1 AND status = 'deleted'`,
        [agent.agent_id],
      )
      return rows.length > 0 && (await content.lockWaits()) > 0
    })
    await verdict.query(`UPDATE submissions SET visibility = 'public', document = NULL
      WHERE id = ${caseOf};
      UPDATE posts SET visibility = 'public' WHERE id = '${id}'; COMMIT`)
    verdict.release()
    await deletion

    await eventually('nothing is left to purge', async () => {
      const { rows } = await content.db.query('SELECT 1 FROM agents WHERE purging')
      return rows.length === 0
    })
    const { rows } = await content.db.query(`SELECT visibility FROM posts WHERE id = '${id}'`)
    expect(rows).toEqual([{ visibility: 'deleted' }])
  })

  it('takes down all other posts if one post cannot be taken down', async () => {
    const [first, second] = [await content.register(), await content.register()]
    const stuck = await content.postId(first)
    for (const agent of [first, second]) await content.post(agent)
    await content.db.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'stuck'; END $$`,
    )
    await content.db.query(
      `CREATE TRIGGER stuck BEFORE UPDATE ON posts
       FOR EACH ROW WHEN (OLD.id = '${stuck}') EXECUTE FUNCTION refuse()`,
    )

    for (const agent of [first, second]) {
      const input = { confirm_handle: agent.handle }
      await content.ask(agents.deleteMe, input, agent, { remainingMs: 800 })
    }

    const ids = [first.agent_id, second.agent_id]
    await eventually('one thing is left', async () => {
      const { rows } = await content.db.query(
        `SELECT id FROM posts WHERE agent_id = ANY($1) AND visibility <> 'deleted'`,
        [ids],
      )
      return rows.length === 1 && rows[0].id === stuck
    })
    await content.db.query('DROP TRIGGER stuck ON posts')
    await eventually('all is gone', async () => {
      const { rows } = await content.db.query(
        'SELECT 1 FROM agents WHERE id = ANY($1) AND purging',
        [ids],
      )
      return rows.length === 0
    })
  })

  it('revokes keys, deletes profile and content, and keeps the handle reserved for ever', async () => {
    const agent = await content.register({ bio: 'I was here.' })
    const { data } = await content.post(agent)
    const held = await content.post(agent, { body_md: 'QUARANTINEME' })
    const { case_id = '' } = held.data.post
    await content.ask(createAppeal, { case_id, reason: 'A quote.' }, agent)
    await expect(
      content.ask(agents.deleteMe, { confirm_handle: 'somebody' }, agent),
    ).rejects.toMatchObject({ code: 'validation_failed' })

    const { meta } = await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    const { handle, key_id } = agent
    const all = [`key:${key_id}`, `agent:${handle}`, `account:${handle}`]
    expect(meta.tags).toEqual(expect.arrayContaining(all))
    await expect(content.post(agent)).rejects.toMatchObject({ code: 'key_revoked' })
    await expect(content.ask(agents.getAgent, { handle: agent.handle })).rejects.toMatchObject({
      code: 'removed',
    })
    await expect(content.ask(getPost, { id: data.post.id })).rejects.toMatchObject({
      code: 'removed',
    })
    await expect(content.register({ handle: agent.handle })).rejects.toMatchObject({
      code: 'handle_taken',
    })
    const { rows } = await content.db.query(
      `SELECT visibility, document FROM submissions WHERE agent_id = $1 AND kind = 'post'`,
      [agent.agent_id],
    )
    const gone = { visibility: 'deleted', document: null }
    expect(rows).toEqual([gone, gone])
    const appeals = await content.db.query('SELECT reason FROM appeals WHERE agent_id = $1', [
      agent.agent_id,
    ])
    expect(appeals.rows).toEqual([{ reason: '' }])
    const told = await content.db.query(
      `SELECT event::json #> '{data,alert}' AS alert FROM outbox
       WHERE subject = 'alert.resolved' AND event::json #>> '{data,alert,case_id}' = $1`,
      [case_id],
    )
    const quotesNothing = expect.objectContaining({ findings: [], excerpt: '' })
    // The alert of the appeal, and that of the scanner's findings.
    expect(told.rows).toEqual([{ alert: quotesNothing }, { alert: quotesNothing }])
    const stranger = await content.register()
    await expect(
      content.ask(flags.createFlag, { target_id: agent.agent_id, reason: 'spam' }, stranger),
    ).rejects.toMatchObject({ code: 'removed' })
  })
})

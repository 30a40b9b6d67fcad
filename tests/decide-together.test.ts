import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from './support/eventually.ts'
import { makeModerator } from './support/moderator.ts'
import { makePost, type PreparedForum, prepareForum, raiseAlert } from './support/prepared-forum.ts'

const PATH = '/api/v1/moderation/alerts/resolve'

let prepared: PreparedForum

beforeAll(async () => {
  prepared = await prepareForum()
})

afterAll(async () => {
  await prepared?.forum.stop()
})

async function raised(): Promise<{ postId: string; id: string }> {
  const postId = await makePost(prepared.author)
  return { postId, id: await raiseAlert(prepared, postId) }
}

async function statusesOf(ids: string[]): Promise<string[]> {
  const { rows } = await prepared.forum.db.query(
    'SELECT status FROM alerts WHERE id = ANY($1) ORDER BY array_position($1, id)',
    [ids],
  )
  return rows.map(({ status }) => status)
}

describe('POST /moderation/alerts/resolve', () => {
  it('hides the posts of all alerts before it answers', async () => {
    const { moderator, reader } = prepared
    const alerts = [await raised(), await raised()]
    const statuses = () =>
      Promise.all(
        alerts.map(async ({ postId }) => (await reader.get(`/api/v1/posts/${postId}`)).status),
      )
    const before = await statuses()

    const { status, body } = await moderator.post(PATH, {
      ids: alerts.map(({ id }) => id),
      action: 'remove',
    })

    expect([status, body.object, body.resolved, body.refused]).toEqual([200, 'decisions', 2, 0])
    expect([before, await statuses()]).toEqual([
      [200, 200],
      [410, 410],
    ])
  })

  it('accepts 1 to 50 alerts, and only from a moderator who is not suspended', async () => {
    const { moderator, author, forum } = prepared
    const { id } = await raised()
    const ids = Array.from({ length: 51 }, () => id)
    const suspended = await makeModerator(forum)
    await forum.db.query(`UPDATE agents SET status = 'suspended' WHERE handle = $1`, [
      suspended.handle,
    ])
    const codeOf = async (as: typeof author, sent: string[]) =>
      (await as.post(PATH, { ids: sent, action: 'remove' })).body.code

    expect(await codeOf(author, [id])).toBe('moderator_only')
    expect(await codeOf(suspended, [id])).toBe('agent_suspended')
    for (const sent of [ids, [], ['nonsense']]) {
      expect(await codeOf(moderator, sent)).toBe('validation_failed')
    }
    expect(await statusesOf([id])).toEqual(['open'])
  })

  it('keeps the decisions made before content was killed, and makes the rest when called again', async () => {
    const { moderator, forum } = prepared
    const alerts = [await raised(), await raised(), await raised()]
    const ids = alerts.map(({ id }) => id)
    const call = () => moderator.post(PATH, { ids, action: 'remove', note: 'A wave.' })
    const client = await forum.db.connect()
    await client.query('BEGIN')
    for (const { postId } of alerts.slice(1)) {
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [postId])
    }
    const interrupted = call()
    await eventually('the first is decided', async () => (await statusesOf(ids))[0] === 'resolved')

    await forum.kill('content')
    await client.query('COMMIT')
    client.release()
    const half = await statusesOf(ids)
    await forum.start('content')
    const { body } = await eventually('content answers again', async () => {
      const answer = await call()
      return answer.status === 200 && answer
    })

    expect(half).toEqual(['resolved', 'open', 'open'])
    expect((await interrupted).status).toBeGreaterThanOrEqual(500)
    expect([body.resolved, body.refused]).toEqual([3, 0])
    const { rows } = await forum.db.query(
      `SELECT alert_id FROM audit WHERE action = 'alert.remove' AND alert_id = ANY($1) ORDER BY seq`,
      [ids],
    )
    expect(rows.map(({ alert_id }) => alert_id)).toEqual(ids)
  })
})

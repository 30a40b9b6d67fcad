import { describe, expect, it } from '@jest/globals'
import { getAgentVotes, withdrawVotes } from '@stoa/shared/contracts/agent-votes.js'
import { deleteMe, getAgent } from '@stoa/shared/contracts/agents.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { reinstateAgent, suspendAgent } from '@stoa/shared/contracts/moderation.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import pg from 'pg'
import { createDatabase, dropDatabase } from '../../../../tests/support/databases.ts'
import { eventually } from '../../../../tests/support/eventually.ts'
import { openDatabase } from '../database.ts'
import { SILENT } from '../notices.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import { withdrawVotes as withdrawOf } from './withdraw-votes.ts'

let content: ContentUnderTest
let author: Someone
let ada: Someone

inModeratedForum((forum) => {
  ;({ content, author, ada } = forum)
})

function vote(target_id: string, as: Someone, value: 1 | -1 = 1) {
  return content.ask(castVote, { target_id, value }, as)
}

function suspend({ handle }: Someone) {
  return content.ask(suspendAgent, { handle }, ada)
}

async function withdraw({ handle }: Someone) {
  return (await content.ask(withdrawVotes, { handle, note: 'A ring.' }, ada)).data
}

async function votesOf({ handle }: Someone) {
  return (await content.ask(getAgentVotes, { handle }, ada)).data
}

/** The score that `as` sees after voting, its own vote included. */
async function scoreAfterUp(id: string, as: Someone): Promise<number> {
  return (await vote(id, as)).data.score
}

async function actsAbout({ handle }: Someone) {
  const { data } = await content.ask(listAudit, { agent: handle }, ada)
  return data.items.map(({ action, note }) => ({ action, note }))
}

/** By SQL, because no test has the time to cast so many votes. */
async function castMany(voter: Someone, ids: string[]): Promise<void> {
  await content.db.query(
    `WITH cast_votes AS (
       INSERT INTO votes (agent_id, target_id, id, value, created_at, updated_at)
       SELECT $1, id, 'vot_' || md5(id || $1), 1, now(), now() FROM unnest($2::text[]) AS id
     ), scored AS (
       UPDATE comments SET score = score + 1 WHERE id = ANY($2)
     )
     UPDATE agent_stats SET score = score + cardinality($2::text[]) WHERE agent_id = $3`,
    [voter.agent_id, ids, author.agent_id],
  )
}

async function manyComments(count: number): Promise<string[]> {
  const post = await content.postId(author)
  const { id } = await content.comment(post, author)
  const { rows } = await content.db.query(
    `INSERT INTO comments SELECT (json_populate_record(c,
       json_build_object('id', 'cmt_' || md5(n::text || $1), 'path', lpad((n + 1)::text, 6, '0')))).*
     FROM comments c, generate_series(1, $2::int) AS n WHERE c.id = $1 RETURNING id`,
    [id, count],
  )
  await content.db.query(
    `WITH counted AS (
       UPDATE post_stats SET comment_count = comment_count + $1 WHERE post_id = $2
     )
     UPDATE agent_stats SET comment_count = comment_count + $1 WHERE agent_id = $3`,
    [count, post, author.agent_id],
  )
  return rows.map((row) => row.id)
}

async function isWithdrawing({ agent_id }: Someone): Promise<boolean> {
  const { rows } = await content.db.query(
    'SELECT votes_withdrawn_since IS NOT NULL AS is FROM agents WHERE id = $1',
    [agent_id],
  )
  return rows[0].is
}

async function counting({ agent_id }: Someone): Promise<number> {
  const { rows } = await content.db.query(
    'SELECT count(*)::int AS votes FROM votes WHERE agent_id = $1 AND value <> 0',
    [agent_id],
  )
  return rows[0].votes
}

describe('the withdrawal of votes', () => {
  it('takes every vote of a suspended agent out of scores, and sends the scores to ranking', async () => {
    const [voter, other] = [await content.register(), await content.register()]
    const post = await content.postId(author)
    const comment = (await content.comment(post, author)).id
    const { data } = await content.ask(
      createSuggestion,
      { title: 'A quieter bell', body_md: 'It rings at night.' },
      author,
    )
    const before = (await content.ask(getAgent, { handle: author.handle })).data.agent.score
    for (const id of [post, comment]) await vote(id, voter)
    await vote(data.suggestion.id, voter, -1)
    await suspend(voter)

    const done = await withdraw(voter)

    expect(done).toMatchObject({ withdrawn: 3, is_complete: true, changed: true })
    for (const id of [post, comment, data.suggestion.id]) {
      expect(await scoreAfterUp(id, other)).toBe(1)
    }
    const { agent } = (await content.ask(getAgent, { handle: author.handle })).data
    expect(agent.score).toBe(before + 3)
    const { rows } = await content.db.query(
      `SELECT (post ->> 'score')::int AS score
       FROM outbox, json_array_elements(event::json #> '{data,posts}') AS post
       WHERE subject = 'rank.post' AND post ->> 'post_id' = $1 ORDER BY seq`,
      [post],
    )
    expect(rows.map(({ score }) => score).slice(-3)).toEqual([1, 0, 1])
    expect(await actsAbout(voter)).toEqual([
      { action: 'account.votes_withdrawn', note: 'A ring.' },
      { action: 'account.suspended', note: '' },
    ])
  })

  it('changes and logs nothing the second time', async () => {
    const voter = await content.register()
    await vote(await content.postId(author), voter)
    await suspend(voter)
    await withdraw(voter)
    const acts = await actsAbout(voter)

    await eventually('the withdrawal has ended', async () => !(await isWithdrawing(voter)))
    const again = await withdraw(voter)

    expect(again).toMatchObject({ withdrawn: 0, is_complete: true, changed: false })
    expect(await actsAbout(voter)).toEqual(acts)
  })

  it('is refused for agents that can vote, and to callers who are no moderators', async () => {
    const voter = await content.register()
    await vote(await content.postId(author), voter)

    await expect(withdraw(voter)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/handle', code: 'not_suspended' }] },
    })
    await suspend(voter)
    for (const contract of [withdrawVotes, getAgentVotes] as const) {
      const asked = content.ask(contract, { handle: voter.handle }, author)
      await expect(asked).rejects.toMatchObject({ code: 'moderator_only' })
      const unknown = content.ask(contract, { handle: 'nobody-here' }, ada)
      await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await counting(voter)).toBe(1)
  })

  it('also withdraws the votes of a deleted account', async () => {
    const voter = await content.register()
    const post = await content.postId(author)
    await vote(post, voter)
    await content.ask(deleteMe, { confirm_handle: voter.handle }, voter)

    expect(await votesOf(voter)).toMatchObject({ up: 1, by_author: [{ up: 1 }] })
    expect(await withdraw(voter)).toMatchObject({ withdrawn: 1, changed: true })

    expect(await scoreAfterUp(post, await content.register())).toBe(1)
  })

  it('lets a reinstated agent vote again, and keeps the new vote', async () => {
    const voter = await content.register()
    const post = await content.postId(author)
    await vote(post, voter)
    await suspend(voter)
    const client = await content.db.connect()
    try {
      // A transaction that began earlier keeps the withdrawal open.
      await client.query('BEGIN')
      await client.query('SELECT 1')
      await withdraw(voter)
      await content.ask(reinstateAgent, { handle: voter.handle }, ada)
    } finally {
      await client.query('COMMIT')
      client.release()
    }

    expect(await scoreAfterUp(post, voter)).toBe(1)
    expect(await isWithdrawing(voter)).toBe(false)
    expect(await counting(voter)).toBe(1)
  })

  it('also withdraws a vote that a transaction from before the suspension commits later', async () => {
    const voter = await content.register()
    const [early, late] = await manyComments(2)
    await castMany(voter, [early as string])
    const client = await content.db.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT 1')
      await suspend(voter)
      expect(await withdraw(voter)).toMatchObject({ withdrawn: 1, is_complete: true })
      await client.query(
        `INSERT INTO votes (agent_id, target_id, id, value, created_at, updated_at)
         VALUES ($1, $2, 'vot_late', 1, now(), now())`,
        [voter.agent_id, late],
      )
      await client.query('UPDATE comments SET score = score + 1 WHERE id = $1', [late])
      await client.query('UPDATE agent_stats SET score = score + 1 WHERE agent_id = $1', [
        author.agent_id,
      ])
    } finally {
      await client.query('COMMIT')
      client.release()
    }

    await eventually('the late vote counts no more', async () => (await counting(voter)) === 0)
    await eventually('the withdrawal has ended', async () => !(await isWithdrawing(voter)))
  })

  it('ends though an older transaction is open in another database on the same server', async () => {
    const another = await createDatabase()
    const client = new pg.Client({ connectionString: another })
    await client.connect()
    try {
      await client.query('BEGIN')
      const voter = await content.register()
      await vote(await content.postId(author), voter)
      await suspend(voter)

      await withdraw(voter)

      await eventually('the withdrawal has ended', async () => !(await isWithdrawing(voter)))
    } finally {
      await client.end()
      await dropDatabase(another)
    }
  })

  it('is finished by a worker if its request ended early, even with more votes than one transaction takes', async () => {
    const voter = await content.register()
    await castMany(voter, await manyComments(250))
    await suspend(voter)

    // As left by a content service that dies after its first transaction.
    await content.db.query('UPDATE agents SET votes_withdrawn_since = now() WHERE id = $1', [
      voter.agent_id,
    ])

    await eventually('no vote counts', async () => (await counting(voter)) === 0)
    await eventually('the withdrawal has ended', async () => !(await isWithdrawing(voter)))
  })

  it('stays open if another withdrawal has begun while the first one ends', async () => {
    const voter = await content.register()
    await suspend(voter)
    const mark = (at: string) =>
      `UPDATE agents SET votes_withdrawn_since = ${at} WHERE id = '${voter.agent_id}'`
    await content.db.query(mark(`now() - interval '1 second'`))
    const log = createLogger('test', 'silent')
    const db = openDatabase(content.databaseUrl, 1, log)
    const client = await content.db.connect()
    try {
      await client.query('BEGIN')
      await client.query(mark('clock_timestamp()'))
      const deps = { db, notices: SILENT, hot: HOT_DEFAULTS }
      const ending = withdrawOf(deps, voter.agent_id, performance.now() + 10_000)
      await eventually('it ends', async () => (await content.lockWaits()) === 1)
      await client.query('COMMIT')
      await ending
    } finally {
      client.release()
      await db.close()
    }

    expect(await isWithdrawing(voter)).toBe(true)
  })

  it('withdraws 250 votes in one request', async () => {
    const voter = await content.register()
    await castMany(voter, await manyComments(250))
    await suspend(voter)

    expect(await withdraw(voter)).toMatchObject({ withdrawn: 250, is_complete: true })
  })

  it('counts each vote once if two requests run at the same time', async () => {
    const voter = await content.register()
    const ids = await manyComments(250)
    await castMany(voter, ids)
    await suspend(voter)
    const release = await content.hold('SELECT 1 FROM comments WHERE id = ANY($1) FOR UPDATE', [
      ids,
    ])

    const asked = Promise.all([withdraw(voter), withdraw(voter)])
    await eventually('both wait', async () => {
      const { rowCount } = await content.db.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rowCount === 2
    })
    await release()

    const withdrawn = (await asked).map((done) => done.withdrawn)
    expect(withdrawn.reduce((sum, count) => sum + count)).toBe(250)
  })
})

describe('the list of authors for whom an agent votes', () => {
  it("has the authors with most of the agent's votes first", async () => {
    const voter = await content.register({ operator: 'Acme Ltd.' })
    const [friend, stranger] = [
      await content.register({ operator: 'ACME' }),
      await content.register({ operator: 'Elsewhere' }),
    ]
    for (const _ of [1, 2]) await vote(await content.postId(friend), voter)
    await vote(await content.postId(stranger), voter, -1)

    expect(await votesOf(voter)).toEqual({
      object: 'agent_votes',
      handle: voter.handle,
      up: 2,
      down: 1,
      is_capped: false,
      by_author: [
        {
          agent_handle: friend.handle,
          operator: 'ACME',
          is_same_operator: true,
          up: 2,
          down: 0,
        },
        {
          agent_handle: stranger.handle,
          operator: 'Elsewhere',
          is_same_operator: false,
          up: 0,
          down: 1,
        },
      ],
    })
  })

  it('counts up to a thousand votes up and down, and says that there may be more', async () => {
    const voter = await content.register()
    await castMany(voter, await manyComments(1_005))

    expect(await votesOf(voter)).toMatchObject({ up: 1_000, down: 0, is_capped: true })
  })
})

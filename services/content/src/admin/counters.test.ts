import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { getAgent } from '@stoa/shared/contracts/agents.js'
import { createComment, deleteComment } from '@stoa/shared/contracts/comments.js'
import { listFeed } from '@stoa/shared/contracts/feed.js'
import { deletePost, editPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import { COUNTERS, type Counters, correctCounters } from '../tables/counters.ts'
import { ContentUnderTest, type Someone } from '../testing/content-under-test.ts'
import { ModeratedForum } from '../testing/moderated-forum.ts'
import { AS_CONTENT, recordStatements, rowsRead, runByPlan } from '../testing/query-plans.ts'
import { drift } from '../testing/recount.ts'
import { Refused } from './command.ts'
import { counterCommands } from './counters.ts'

let content: ContentUnderTest
let db: Database
let ann: Someone
let ben: Someone

beforeAll(async () => {
  content = await ContentUnderTest.start()
  db = content.openDatabase(3)
  ann = await content.register()
  ben = await content.register()
})

afterAll(() => content.stop())

const counters = (verb: string) =>
  (counterCommands[`counters ${verb}`] as (typeof counterCommands)[string]).run(db, [])

const vote = (target: string, as: Someone, value: 1 | -1 = 1) =>
  content.ask(castVote, { target_id: target, value }, as)

async function aThread(): Promise<{ post: string; comment: string; suggestion: string }> {
  const { post } = (await content.post(ann)).data
  const { id } = post
  const { comment } = (await content.ask(createComment, { id, body_md: 'Same here.' }, ben)).data
  await content.ask(reproducePost, { id, outcome: 'reproduced', notes: 'Yes.' }, ben)
  const suggested = await content.ask(createSuggestion, { title: 'Diffs', body_md: 'Yes.' }, ann)
  const suggestion = suggested.data.suggestion.id
  for (const target of [id, suggestion]) await vote(target, ben)
  await vote(comment.id, ann)
  return { post: id, comment: comment.id, suggestion }
}

/**
 * Makes things that must not count: some that are gone or under something gone, reports of an
 * earlier version, and the author's own.
 */
async function whatDoesNotCount(): Promise<void> {
  const forum = await ModeratedForum.on(content)
  const [thread, gone] = [await aThread(), await aThread()]
  const report = { id: thread.post, outcome: 'reproduced' as const, notes: 'FLAGME' }
  const { reproduction } = (await content.ask(reproducePost, report, forum.author)).data
  await forum.resolve((await forum.onlyAlert(reproduction.id)).id, 'remove')
  await content.ask(editPost, { id: thread.post, title: 'Another version of it' }, ann)
  await content.ask(reproducePost, { ...report, notes: 'Mine.' }, ann)
  for (const { comment } of [thread, gone]) await content.ask(deleteComment, { id: comment }, ben)
  await content.comment(gone.post, ben)
  await content.ask(deletePost, { id: gone.post }, ann)
}

async function damage(statement: string): Promise<void> {
  await content.db.query(statement)
}

describe('the recount of the counters', () => {
  it('finds nothing to correct if all counters are right', async () => {
    await aThread()
    await whatDoesNotCount()

    expect(await counters('check')).toEqual(['All counters are right.'])
    expect(await counters('mend')).toEqual(['All counters are right.'])
  })

  it('only reports differences with "check", and corrects them with "mend"', async () => {
    const { post, comment, suggestion } = await aThread()
    const before = (await content.detail(post)).post
    await damage(`UPDATE post_stats SET score = 41, comment_count = 7, reproduced_count = 0,
      failed_count = 3, independent_count = 9 WHERE post_id = '${post}'`)
    await damage(`UPDATE comments SET score = -5 WHERE id = '${comment}'`)
    await damage(`UPDATE suggestions SET score = 12 WHERE id = '${suggestion}'`)
    await damage('UPDATE agent_stats SET post_count = 99, comment_count = 98, score = -97')
    await damage(`UPDATE community_stats SET post_count = 0 WHERE slug = 'general'`)
    const damaged = await drift(content.db)

    const said = await counters('check')

    expect(said.join('\n')).toContain(
      `post ${post}: score 41, should be 1; comment_count 7, should be 1`,
    )
    for (const name of [`comment ${comment}`, `suggestion ${suggestion}`, 'community general']) {
      expect(said.join('\n')).toContain(name)
    }
    expect(said.at(-1)).toContain('differ')
    expect(await drift(content.db)).toEqual(damaged)

    await counters('mend')

    expect(await drift(content.db)).toEqual([])
    const after = (await content.detail(post)).post
    expect(after).toMatchObject({ score: before.score, comment_count: before.comment_count })
    const { rows } = await content.db.query('SELECT score FROM suggestions WHERE id = $1', [
      suggestion,
    ])
    expect(rows).toEqual([{ score: 1 }])
    expect(await counters('check')).toEqual(['All counters are right.'])
  })

  it("corrects the copies of a post's fields that lists filter by", async () => {
    const { post } = await aThread()
    await damage(`UPDATE post_stats SET visible = false, kind = 'claim', tags = '{wrong}',
      community_slug = 'meta' WHERE post_id = '${post}'`)
    await damage(`UPDATE post_tags SET tag = 'wrong' WHERE post_id = '${post}'`)
    const listed = async () => (await content.ask(listFeed, { sort: 'new', limit: 100 })).data.items

    const said = await counters('check')

    expect(said).toContain(`post ${post}: lists use another visible, community_slug, kind, tags`)
    await counters('mend')
    expect(await drift(content.db)).toEqual([])
    expect((await listed()).map(({ id }) => id)).toContain(post)
    expect(await counters('check')).toEqual(['All counters are right.'])
  })

  it("corrects the copy of a post's kind that the tag filter uses", async () => {
    const { id: post } = (await content.post(ann, { kind: 'result', tags: ['carried'] })).data.post
    await damage(`UPDATE post_tags SET kind = 'claim' WHERE post_id = '${post}'`)
    const isFound = async () => {
      const filter = { tag: ['carried'], kind: ['result' as const], sort: 'new' as const }
      return (await content.ask(listFeed, filter)).data.count === 1
    }
    expect(await isFound()).toBe(false)

    expect(await counters('check')).toContain(`post ${post}: lists use another tags`)
    await counters('mend')

    expect(await isFound()).toBe(true)
  })

  it('only reports with "check" what lists and threads have wrong', async () => {
    const { post, comment } = await aThread()
    const { agent_id: id } = ben
    await damage(`UPDATE post_stats SET kind = 'claim' WHERE post_id = '${post}'`)
    await damage(`UPDATE comments SET counted = false WHERE id = '${comment}'`)
    await damage(
      `UPDATE agent_stats SET comment_count = comment_count - 1 WHERE agent_id = '${id}'`,
    )

    const said = await counters('check')

    expect(said).toEqual([
      `post ${post}: lists use another kind`,
      `thread of ${post}: parts of it are counted wrongly for their authors`,
      expect.stringMatching(/^2 differ/),
    ])
    const untouched = await content.db.query(
      `SELECT 1 FROM posts p JOIN comments c ON c.post_id = p.id JOIN post_stats s USING (post_id)
       WHERE c.id = $1 AND s.kind = 'claim' AND NOT c.counted AND p.thread_told_to IS NULL`,
      [comment],
    )
    expect(untouched.rows).toHaveLength(1)
    await counters('mend')
    await eventually('it is counted', async () => (await drift(content.db)).length === 0)
  })

  it.each([
    ['comments', 'comment_count'],
    ['reproductions', 'reproduction_count'],
  ] as const)(
    'counts for their author the %s on a post that were not counted',
    async (table, count) => {
      const { post } = await aThread()
      const countOf = async () =>
        (await content.ask(getAgent, { handle: ben.handle })).data.agent[count]
      const before = await countOf()
      await damage(`UPDATE ${table} SET counted = false WHERE post_id = '${post}'`)
      await damage(
        `UPDATE agent_stats SET ${count} = ${count} - 1 WHERE agent_id = '${ben.agent_id}'`,
      )

      await counters('mend')

      await eventually('it is counted', async () => (await countOf()) === before)
      expect(await drift(content.db)).toEqual([])
    },
  )

  it('reads one agent at a time, because a few agents wrote most of the content', async () => {
    const statements = recordStatements()
    await counters('check')
    const { text = '' } = statements.get('count-agent-page') ?? {}
    const client = await content.db.connect()
    await client.query(`${AS_CONTENT}; SET enable_seqscan = off`)

    const plan = await runByPlan(client, 'page', { text, values: [''] })

    client.release(true)
    expect(rowsRead(plan).get('agent_stats')).toBe(1)
  })

  it('adds a missing count once if two recounts correct it at the same time', async () => {
    const { post } = await aThread()
    const [posts] = COUNTERS
    await damage(`UPDATE post_stats SET score = 7, comment_count = 0 WHERE post_id = '${post}'`)
    const correct = () => db.transaction((tx) => correctCounters(tx, posts as Counters, [post]))
    let other: Promise<void> | undefined
    let isOver = false

    await db.transaction(async (tx) => {
      const rows: typeof tx.rows = async (name, ...rest) => {
        const answer = await tx.rows(name, ...rest)
        if (name === 'count-post-some') {
          other = correct().finally(() => {
            isOver = true
          })
          await eventually('it waits or is done', async () => {
            return isOver || (await content.lockWaits()) > 0
          })
        }
        return answer as never
      }
      await correctCounters({ ...tx, rows }, posts as Counters, [post])
    })
    await other

    expect(await drift(content.db)).toEqual([])
  })

  it('adds nothing to counters that a new version of the post resets during the recount', async () => {
    const { post } = await aThread()
    const [posts] = COUNTERS
    await damage(`UPDATE post_stats SET independent_count = 9, failed_count = 3
      WHERE post_id = '${post}'`)

    await db.transaction(async (tx) => {
      const rows: typeof tx.rows = async (name, ...rest) => {
        const answer = await tx.rows(name, ...rest)
        if (name === 'count-post-some') {
          await content.ask(editPost, { id: post, title: 'Another version of it' }, ann)
        }
        return answer as never
      }
      await correctCounters({ ...tx, rows }, posts as Counters, [post])
    })

    expect(await drift(content.db)).toEqual([])
  })

  it('runs once at a time, so that two recounts do not take the index from each other', async () => {
    const release = await content.hold('LOCK TABLE votes IN SHARE UPDATE EXCLUSIVE MODE')
    const first = counters('mend')
    await eventually('it waits to make its index', async () => (await content.lockWaits()) === 1)

    await expect(counters('mend')).rejects.toBeInstanceOf(Refused)

    await release()
    expect(await first).toEqual(['All counters are right.'])
  })

  it('runs after a recount that was killed while it had its index', async () => {
    await damage('CREATE INDEX votes_of_recount_idx ON votes (target_id)')

    expect(await counters('check')).toEqual(['All counters are right.'])
  })

  it('lists the first 50 differences, and says how many more there are', async () => {
    await damage(`WITH made AS (
        INSERT INTO agents (id, handle, created_at)
        SELECT 'agt_listed_' || n, 'listed-' || n, now() FROM generate_series(1, 53) n RETURNING id
      )
      INSERT INTO agent_stats (agent_id, score) SELECT id, 1 FROM made`)

    for (const verb of ['check', 'mend']) {
      const said = await counters(verb)

      const listed = said.filter((line) => line.endsWith(': score 1, should be 0'))
      expect([listed.length, said.length]).toEqual([50, 52])
      expect(said[50]).toBe('… and 3 more')
      expect(said[51]).toMatch(/^53 /)
    }
  })

  it('loses no vote that is cast while it runs, and leaves no table or index in the database', async () => {
    const { post } = await aThread()
    const voters = await Promise.all(Array.from({ length: 8 }, () => content.register()))
    let isOver = false
    const voting = Promise.all(
      voters.map(async (voter, i) => {
        for (let n = i; !isOver; n++) await vote(post, voter, n % 2 === 0 ? 1 : -1)
      }),
    )

    for (let round = 0; round < 5; round++) {
      await damage(`UPDATE post_stats SET score = score + 10 WHERE post_id = '${post}'`)
      await damage('UPDATE agent_stats SET score = score - 10')
      await counters('mend')
    }
    isOver = true
    await voting

    expect(await drift(content.db)).toEqual([])
    const { rows } = await content.db.query(`SELECT 1 FROM pg_class WHERE relname LIKE '%recount%'`)
    expect(rows).toEqual([])
  })
})

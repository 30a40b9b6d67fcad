import { describe, expect, it } from '@jest/globals'
import * as comments from '@stoa/shared/contracts/comments.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import { createSuggestion, deleteSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'

let content: ContentUnderTest
let ann: Someone
let voters: Someone[]
let ben: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
  voters = await Promise.all(Array.from({ length: 8 }, () => content.register()))
  ben = voters[0] as Someone
})

function vote(target_id: string, value: -1 | 0 | 1, as: Someone, more = {}) {
  return content.ask(castVote, { target_id, value }, as, more)
}

async function rankEvents(postId: string): Promise<{ score: number; revision: number }[]> {
  const { rows } = await content.db.query(
    `SELECT post FROM outbox, json_array_elements(event::json #> '{data,posts}') AS post
     WHERE subject = 'rank.post' AND post ->> 'post_id' = $1 ORDER BY seq`,
    [postId],
  )
  return rows.map((row) => row.post)
}

describe('voting', () => {
  it('sets, turns and withdraws a vote, and answers the score', async () => {
    const id = await content.postId(ann)

    const up = (await vote(id, 1, ben)).data
    const down = (await vote(id, -1, ben)).data
    const none = (await vote(id, 0, ben)).data

    expect([up.score, down.score, none.score]).toEqual([1, -1, 0])
    expect(up.vote).toMatchObject({ target_type: 'post', target_id: id, value: 1 })
    expect([down.vote.id, none.vote.id]).toEqual([up.vote.id, up.vote.id])
  })

  it('changes nothing the second time, and sends nothing to ranking', async () => {
    const id = await content.postId(ann)
    const first = (await vote(id, 1, ben)).data
    const told = (await rankEvents(id)).length

    const second = (await vote(id, 1, ben)).data

    expect(second).toEqual(first)
    expect(await rankEvents(id)).toHaveLength(told)
  })

  it('counts for comments and suggestions too, and for the score of their author', async () => {
    const commentId = (await content.comment(await content.postId(ann), ann)).id
    const { data } = await content.ask(
      createSuggestion,
      { title: 'Show diffs', body_md: 'They save tokens.' },
      ann,
    )
    const before = await scoreOf(ann)

    const [onComment, onSuggestion] = await Promise.all([
      vote(commentId, 1, ben),
      vote(data.suggestion.id, -1, ben),
    ])

    expect(onComment.data).toMatchObject({ score: 1, vote: { target_type: 'comment' } })
    expect(onSuggestion.data).toMatchObject({ score: -1, vote: { target_type: 'suggestion' } })
    expect(await scoreOf(ann)).toBe(before)
    const other = voters[1] as Someone
    const later = [await vote(commentId, 1, other), await vote(data.suggestion.id, -1, other)]
    expect(later.map(({ data: { score } }) => score)).toEqual([2, -2])
  })

  it('drops the cached page of the post, and no list', async () => {
    const id = await content.postId(ann)
    const told: string[] = []
    content.gateway.hear('invalidate', (notice) => told.push(...(notice as Notice).tags))
    await content.gateway.nc.flush()

    const { meta } = await vote((await content.comment(id, ann)).id, 1, ben)

    expect(meta.tags).toEqual([`post:${id}`])
    await content.gateway.nc.flush()
    const voteTags = told.slice(told.lastIndexOf('posts') + 1)
    expect(new Set(voteTags.filter((tag) => !tag.startsWith('agent:')))).toEqual(
      new Set([`post:${id}`]),
    )
  })
})

interface Notice {
  tags: string[]
}

async function scoreOf(agent: Someone): Promise<number> {
  const { rows } = await content.db.query('SELECT score FROM agent_stats WHERE agent_id = $1', [
    agent.agent_id,
  ])
  return rows[0].score
}

describe('a vote is refused', () => {
  it("on the voter's own post or comment", async () => {
    const id = await content.postId(ann)
    const commentId = (await content.comment(id, ben)).id

    await expect(vote(id, 1, ann)).rejects.toMatchObject({ code: 'self_vote' })
    await expect(vote(commentId, 1, ben)).rejects.toMatchObject({ code: 'self_vote' })
  })

  it('on a target that is unknown, held or deleted', async () => {
    const gone = await content.postId(ann)
    const goneComment = (await content.comment(gone, ann)).id
    await content.ask(posts.deletePost, { id: gone }, ann)
    const hidden = await content.postId(ann, { body_md: 'QUARANTINEME' })

    await expect(vote(newId('post'), 1, ben)).rejects.toMatchObject({
      code: 'not_found',
      details: { errors: [{ pointer: '/target_id' }] },
    })
    await expect(vote(newId('comment'), 1, ben)).rejects.toMatchObject({ code: 'not_found' })
    await expect(vote(newId('suggestion'), 1, ben)).rejects.toMatchObject({ code: 'not_found' })
    await expect(vote(hidden, 1, ben)).rejects.toMatchObject({ code: 'not_found' })
    await expect(vote(gone, 1, ben)).rejects.toMatchObject({
      code: 'removed',
      details: { errors: [{ pointer: '/target_id' }] },
    })
    await expect(vote(goneComment, 1, ben)).rejects.toMatchObject({ code: 'removed' })
  })

  it('on a suggestion that its author has deleted', async () => {
    const input = { title: 'Show diffs', body_md: 'They save tokens.' }
    const { id } = (await content.ask(createSuggestion, input, ann)).data.suggestion
    await content.ask(deleteSuggestion, { id }, ann)

    await expect(vote(id, 1, ben)).rejects.toMatchObject({ code: 'removed' })
  })

  it('from a suspended agent, with a revoked key, and without a key', async () => {
    const id = await content.postId(ann)
    const [eve, max] = await Promise.all([content.register(), content.register()])
    await content.db.query(`UPDATE agents SET status = 'suspended' WHERE id = $1`, [eve.agent_id])
    await content.db.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [max.key_id])

    await expect(vote(id, 1, eve)).rejects.toMatchObject({ code: 'agent_suspended' })
    await expect(vote(id, 1, max)).rejects.toMatchObject({ code: 'key_revoked' })
    await expect(content.ask(castVote, { target_id: id, value: 1 })).rejects.toMatchObject({
      code: 'missing_credentials',
    })
  })

  it('without affecting the other votes of its batch', async () => {
    const id = await content.postId(ann)

    const results = await Promise.allSettled([
      vote(id, 1, ann),
      vote(newId('post'), 1, ben),
      ...voters.map((voter) => vote(id, 1, voter)),
    ])

    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      ...voters.map(() => 'fulfilled'),
    ])
    expect((await content.detail(id)).post.score).toBe(voters.length)
  })
})

describe('an Idempotency-Key on a vote', () => {
  const scope = 'POST /api/v1/votes'

  it('answers a repeated request with the present vote and score', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope, body_hash: 'aa' }
    await vote(id, 1, ben, { idempotency })
    await vote(id, -1, ben)

    const again = await vote(id, 1, ben, { idempotency })

    expect(again.meta.replayed).toBe(true)
    expect(again.data).toMatchObject({ score: -1, vote: { value: -1 } })
  })

  it('lets two equal requests at once succeed, and refuses another body', async () => {
    const id = await content.postId(ann)
    const key = newId('case')
    const cast = (body_hash: string) => vote(id, 1, ben, { idempotency: { key, scope, body_hash } })

    const results = await Promise.allSettled([cast('aa'), cast('aa'), cast('bb')])

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(results[2]).toMatchObject({ reason: { code: 'idempotency_key_reused' } })
  })

  it('answers a repeated request even after the target was deleted', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope, body_hash: 'aa' }
    await vote(id, 1, ben, { idempotency })
    await content.ask(posts.deletePost, { id }, ann)

    const again = await vote(id, 1, ben, { idempotency })

    expect(again.meta.replayed).toBe(true)
    expect(again.data.vote).toMatchObject({ target_id: id, value: 1 })
    await expect(vote(id, -1, ben)).rejects.toMatchObject({ code: 'removed' })
  })

  it('is not stored if the vote is refused', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope, body_hash: 'aa' }

    await expect(vote(id, 1, ann, { idempotency })).rejects.toMatchObject({ code: 'self_vote' })
    const { rows } = await content.db.query('SELECT 1 FROM idempotency WHERE key = $1', [
      idempotency.key,
    ])

    expect(rows).toEqual([])
  })
})

describe('many votes at once', () => {
  it('all succeed except those on deleted targets, beside comments and deletions', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => content.postId(ann)))
    const made = await Promise.all(ids.map((id) => content.comment(id, ann)))
    const commentIds = made.map(({ id }) => id)
    const targets = [...ids, ...commentIds]
    const votes = Array.from({ length: 400 }, (_, i) => ({
      target: targets[(i * 7) % targets.length] as string,
      value: ((i % 3) - 1) as -1 | 0 | 1,
      voter: voters[(i * 5) % voters.length] as Someone,
    }))

    const results = await Promise.allSettled([
      ...votes.map(({ target, value, voter }) => vote(target, value, voter)),
      ...ids.map((id) => content.comment(id, ben)),
      content.ask(posts.deletePost, { id: ids[0] as string }, ann),
      content.ask(comments.deleteComment, { id: commentIds[1] as string }, ann),
    ])

    const failures = results.filter((result) => result.status === 'rejected')
    expect(failures.filter(({ reason }) => reason.code !== 'removed')).toEqual([])
  })

  it('on one post share transactions, and send ranking the last score', async () => {
    const id = await content.postId(ann)

    await Promise.all(voters.map((voter) => vote(id, 1, voter)))

    const events = await rankEvents(id)
    expect(events.at(-1)?.score).toBe(voters.length)
    expect(events.length).toBeLessThan(voters.length)
    expect(new Set(events.map(({ revision }) => revision)).size).toBe(events.length)
  })

  it('of one agent on one target are applied in order', async () => {
    const id = await content.postId(ann)

    const values = [1, -1, 1, 0, -1] as const
    const answers = await Promise.all(values.map((value) => vote(id, value, ben)))

    expect(answers.map(({ data }) => data.vote.value)).toEqual([...values])
    expect(answers.at(-1)?.data.score).toBe(-1)
  })
})

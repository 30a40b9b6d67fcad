import { describe, expect, it } from '@jest/globals'
import { deleteComment } from '@stoa/shared/contracts/comments.js'
import { reproducePost } from '@stoa/shared/contracts/posts.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { besidePublication } from '../testing/beside-publication.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inModeratedForum } from '../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../testing/moderated-forum.ts'
import { drift } from '../testing/recount.ts'
import { TOLD_TOGETHER_MAX } from '../visibility/tell-of-thread.ts'

const COMMENTS = 5 * TOLD_TOGETHER_MAX + 200

let forum: ModeratedForum
let content: ContentUnderTest
let commenter: Someone

inModeratedForum(async (started) => {
  forum = started
  ;({ content } = forum)
  commenter = await content.register()
})

/** A post with a reproduction and a long thread: each second comment answers the one before. */
async function longThread(): Promise<string> {
  const id = await forum.publicPost('FLAGME')
  await content.ask(reproducePost, { id, outcome: 'reproduced', notes: 'It did.' }, commenter)
  await content.db.query(
    `WITH given AS (
       SELECT n, 'cmt_' || lpad(n::text, 6, '0') || right($1, 26) AS id,
         lpad(n::text, 6, '0') AS step, n % 2 = 0 AS answers
       FROM generate_series(1, $3) n
     ), written AS (
       INSERT INTO comments (id, post_id, agent_id, parent_id, depth, path, body_md, mentions,
         case_id, created_at, updated_at)
       SELECT g.id, $1, $2, p.id, g.answers::int, coalesce(p.step, '') || g.step, 'Same here.', '{}',
         'case_none', now(), now()
       FROM given g LEFT JOIN given p ON g.answers AND p.n = g.n - 1
     ), counted AS (
       UPDATE agent_stats SET comment_count = comment_count + $3 WHERE agent_id = $2
     )
     UPDATE post_stats SET comment_count = $3, comment_ordinal = $3 WHERE post_id = $1`,
    [id, commenter.agent_id, COMMENTS],
  )
  return id
}

/** More than one piece of them, each by an agent of its own. */
const REPORTS = TOLD_TOGETHER_MAX + 20

async function manyReports(): Promise<string> {
  const id = await forum.publicPost('FLAGME')
  await content.db.query(
    `WITH reporters AS (
       INSERT INTO agents (id, handle, created_at)
       SELECT 'agt_' || n || right($1, 20), 'reporter-' || n, now() FROM generate_series(1, $2) n
       RETURNING id
     ), counted AS (
       INSERT INTO agent_stats (agent_id, reproduction_count) SELECT id, 1 FROM reporters
     ), reported AS (
       INSERT INTO reproductions (id, post_id, agent_id, outcome, notes, model, harness,
         independent, post_version, case_id, created_at)
       SELECT 'rep_' || id, $1, id, 'failed', 'It did not.', '', '', false, 1, 'case_none', now()
       FROM reporters
     )
     UPDATE post_stats SET failed_count = $2 WHERE post_id = $1`,
    [id, REPORTS],
  )
  return id
}

/** A moderator's flag raises an alert; a decided alert can only be approved afterwards. */
async function takeAway(id: string): Promise<void> {
  const isDecided = (await forum.alertsOn(id)).every(({ status }) => status === 'resolved')
  if (isDecided) await forum.flag(id, forum.bob)
  const open = (await forum.alertsOn(id)).find(({ status }) => status !== 'resolved')
  await forum.resolve(open?.id as string, 'remove')
}

async function bringBack(id: string): Promise<void> {
  const [alert] = await forum.alertsOn(id)
  await forum.decideAgain(alert?.id as string, 'approve')
}

interface Line {
  type: string
  target_id: string
}

/** The lines of the change log about the parts of a post, in order. */
async function toldOf(postId: string): Promise<Line[]> {
  const { rows } = await content.db.query<Line>(
    `SELECT type, target_id FROM changes WHERE post_id = $1 AND target_id <> $1
       AND type ~ '^(comment|reproduction)' ORDER BY seq`,
    [postId],
  )
  return rows
}

async function toldToTheEnd(postId: string): Promise<void> {
  await eventually('all that hangs on the post has been told of', async () => {
    const { rows } = await content.db.query(
      'SELECT 1 FROM posts WHERE id = $1 AND thread_told_to IS NULL',
      [postId],
    )
    return rows.length === 1
  })
}

/** The verbs told of each thing, in order. */
function fates(told: Line[]): Map<string, string> {
  const words = new Map<string, string>()
  for (const { type, target_id: id } of told) {
    const word = type.slice(type.indexOf('.') + 1)
    words.set(id, words.has(id) ? `${words.get(id)} ${word}` : word)
  }
  return words
}

describe('the comments and reports on a large post', () => {
  it('are logged as removed in pieces with the post, each once and before its replies', async () => {
    const id = await longThread()
    const before = (await toldOf(id)).length

    await takeAway(id)
    const atOnce = (await toldOf(id)).length - before
    await toldToTheEnd(id)

    expect(atOnce).toBeGreaterThanOrEqual(TOLD_TOGETHER_MAX)
    expect(atOnce).toBeLessThan(COMMENTS)
    const told = (await toldOf(id)).slice(before)
    expect(told.filter(({ type }) => type === 'comment.removed')).toHaveLength(COMMENTS)
    expect(told.filter(({ type }) => type === 'reproduction.removed')).toHaveLength(1)
    const places = new Map(told.map(({ target_id }, place) => [target_id, place]))
    expect(places.size).toBe(COMMENTS + 1)
    const { rows: answers } = await content.db.query(
      'SELECT id, parent_id FROM comments WHERE post_id = $1 AND parent_id IS NOT NULL',
      [id],
    )
    expect(answers).toHaveLength(COMMENTS / 2)
    for (const answer of answers) {
      expect(places.get(answer.id)).toBeGreaterThan(places.get(answer.parent_id) as number)
    }
    const { rows: events } = await content.db.query(
      `SELECT count(DISTINCT event::jsonb #>> '{data,id}')::int AS count FROM outbox
       WHERE subject = 'forum.comment.removed' AND event::jsonb #>> '{data,post_id}' = $1`,
      [id],
    )
    expect(events[0].count).toBe(COMMENTS)
  })

  it('are logged as they are at the end if the post is shown and removed again in between', async () => {
    const id = await longThread()
    const before = (await toldOf(id)).length

    await takeAway(id)
    await bringBack(id)
    await toldToTheEnd(id)
    const back = fates((await toldOf(id)).slice(before))

    // Only the parts that had gone by then came back.
    expect(back.size).toBeGreaterThanOrEqual(TOLD_TOGETHER_MAX)
    expect(back.size).toBeLessThan(COMMENTS)
    expect(new Set(back.values())).toEqual(new Set(['removed published']))
    expect(await drift(content.db)).toEqual([])

    await takeAway(id)
    await bringBack(id)
    await takeAway(id)
    await toldToTheEnd(id)
    const gone = fates((await toldOf(id)).slice(before))

    expect(gone.size).toBe(COMMENTS + 1)
    for (const words of gone.values()) expect(words).toMatch(/^(removed published )*removed$/)
  })

  it('are all logged and counted if there are more reports than a piece has', async () => {
    const id = await manyReports()

    await takeAway(id)
    await toldToTheEnd(id)

    const gone = fates(await toldOf(id))
    expect(gone.size).toBe(REPORTS)
    expect(new Set(gone.values())).toEqual(new Set(['removed']))
  })

  it('are counted correctly if one of them is deleted while the pieces are logged', async () => {
    const id = await longThread()
    const { rows } = await content.db.query<{ id: string }>(
      'SELECT id FROM comments WHERE post_id = $1 ORDER BY path',
      [id],
    )
    await takeAway(id)
    for (const comment of [rows[0], rows.at(-1)]) {
      await content.ask(deleteComment, { id: comment?.id as string }, commenter)
    }
    await toldToTheEnd(id)
  })

  it('are not logged further if the post is shown again before the next piece', async () => {
    const id = await forum.publicPost('FLAGME')
    const comment = await content.comment(id, commenter)
    await takeAway(id)
    // As if the comment belonged to a piece that is still to be announced.
    await content.db.query(
      `WITH untold AS (UPDATE comments SET counted = true WHERE id = $1)
       UPDATE agent_stats SET comment_count = comment_count + 1 WHERE agent_id = $2`,
      [comment.id, commenter.agent_id],
    )

    await besidePublication(
      content,
      () => bringBack(id),
      () => content.db.query(`UPDATE posts SET thread_told_to = '' WHERE id = $1`, [id]),
    )
    await toldToTheEnd(id)

    expect(fates(await toldOf(id))).toEqual(new Map([[comment.id, 'published removed']]))
  })
})

import { describe, expect, it, jest } from '@jest/globals'
import * as agents from '@stoa/shared/contracts/agents.js'
import {
  COMMENT_DEPTH_MAX,
  createComment,
  deleteComment,
  editComment,
} from '@stoa/shared/contracts/comments.js'
import { ackInbox, listInbox } from '@stoa/shared/contracts/inbox.js'
import { acceptComment, createPost, editPost, reproducePost } from '@stoa/shared/contracts/posts.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import { aPost, type ContentUnderTest } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'

let content: ContentUnderTest

const HOUR_MS = 3_600_000

inContent((started) => {
  content = started
})

/** The entry's number in a cursor, which follows the epoch. */
const numberIn = (cursor: string) => Number(cursor.replace(/^\w+-/, ''))

describe('the inbox', () => {
  it('numbers its entries without gaps if many arrive at once', async () => {
    const reader = await content.register()
    const writers = await Promise.all([1, 2, 3, 4].map(() => content.register()))

    await Promise.all(
      writers.flatMap((writer) =>
        [1, 2, 3, 4, 5].map(() =>
          content.post(writer, { body_md: `Have a look, @${reader.handle}.` }),
        ),
      ),
    )

    const all = await eventually('all are there', async () => {
      const { data } = await content.ask(listInbox, { limit: 100 }, reader)
      return data.count === 20 && data
    })
    expect(all.items.map(({ cursor }) => numberIn(cursor))).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    )
    expect(all).toMatchObject({ unread: 20, has_more: false, next_after: all.items[19]?.cursor })
  })

  it('lists the types that are asked for, with the cursors of the whole list', async () => {
    const [reader, writer] = [await content.register(), await content.register()]
    const post = await content.postId(reader)
    const reply = () => content.comment(post, writer, { body_md: 'So it is.' })
    const mention = () => content.post(writer, { body_md: `Look, @${reader.handle}.` })
    const report = { id: post, outcome: 'failed' as const, notes: 'No.' }
    for (const write of [reply, mention, reply, mention]) await write()
    await content.ask(reproducePost, report, writer)
    const list = async (asked: object) => (await content.ask(listInbox, asked, reader)).data
    const typesOf = async (asked: object) => (await list(asked)).items.map(({ type }) => type)

    const first = await list({ type: 'reply', limit: 1 })
    const second = await list({ type: 'reply', after: first.next_after })
    await content.ask(ackInbox, { cursor: first.next_after }, reader)

    expect([first, second].map(({ items }) => items.map(({ type }) => type))).toEqual([
      ['reply'],
      ['reply'],
    ])
    expect([first.has_more, second.has_more]).toEqual([true, false])
    expect([first.unread, second.unread]).toEqual([5, 5])
    expect(await typesOf({ after: second.next_after })).toEqual(['mention', 'reproduction'])
    expect(await typesOf({ type: 'mention,reproduction' })).toEqual([
      'mention',
      'mention',
      'reproduction',
    ])
    expect(await list({ type: 'accepted' })).toMatchObject({
      count: 0,
      has_more: false,
      next_after: first.next_after,
    })
  })

  it('tells an author nothing of a text that is public at once, even if the clock of content is an hour ahead', async () => {
    const [author, reporter] = [await content.register(), await content.register()]
    const { id } = (await content.post(author)).data.post
    const now = Date.now
    jest.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS)

    const asked = content.ask(reproducePost, { id, outcome: 'failed', notes: 'No.' }, reporter)
    const { meta } = await asked.finally(() => jest.restoreAllMocks())

    expect(meta.outcome).toBe('created')
    expect((await content.ask(listInbox, {}, reporter)).data.items).toEqual([])
  })

  it('tells an author that a text is public if its scan took long', async () => {
    const author = await content.register()
    content.scanner.hold()
    const { data } = await content.ask(createPost, aPost(), author, { respondAsync: true })
    const { id } = data.post
    await content.db.query(
      `UPDATE submissions SET submitted_at = now() - interval '1 minute' WHERE target_id = $1`,
      [id],
    )
    content.scanner.release()
    const told = await eventually('it is told of', async () => {
      return (await content.ask(listInbox, {}, author)).data.items[0]
    })

    expect(told).toMatchObject({ type: 'verdict', target_id: id, visibility: 'public' })
  })

  it('has two numbered entries for one comment that both answers and mentions the agent', async () => {
    const [author, other] = [await content.register(), await content.register()]
    const id = await content.postId(author)

    await content.comment(id, other, { body_md: `Not on my machine, @${author.handle}.` })

    const { items } = (await content.ask(listInbox, {}, author)).data
    expect(items.map(({ type, cursor }) => [type, numberIn(cursor)])).toEqual([
      ['mention', 1],
      ['reply', 2],
    ])
  })

  it('tells an agent of a reply to its comment at the greatest depth of a thread', async () => {
    const [one, two] = [await content.register(), await content.register()]
    const id = await content.postId(await content.register())
    let last: string | undefined
    for (let depth = 0; depth <= COMMENT_DEPTH_MAX; depth++) {
      const by = depth % 2 === 0 ? one : two
      last = (await content.comment(id, by, { parent_id: last })).id
    }

    const answer = await content.comment(id, two, { parent_id: last })

    expect(answer.depth).toBe(COMMENT_DEPTH_MAX)
    const { items } = (await content.ask(listInbox, {}, one)).data
    expect(items.at(-1)).toMatchObject({ type: 'reply', target_id: answer.id })
  })

  it('tells an agent nothing of its own replies and mentions', async () => {
    const author = await content.register()
    const itself = `Noted, @${author.handle}.`
    const id = await content.postId(author, { body_md: itself })

    const answer = await content.comment(id, author, { body_md: itself })
    await content.comment(id, author, { parent_id: answer.id })

    expect((await content.ask(listInbox, {}, author)).data.items).toEqual([])
  })

  it('tells an agent once of a text that mentions it, however often the text is edited', async () => {
    const [reader, writer] = [await content.register(), await content.register()]
    const naming = (words: string) => ({ body_md: `${words}, @${reader.handle}.` })
    const id = await content.postId(writer, naming('Have a look'))
    const comment = await content.comment(id, writer, naming('Here too'))

    await content.ask(editPost, { id, ...naming('Look again') }, writer)
    await content.ask(editComment, { id: comment.id, ...naming('Here as well') }, writer)

    const { items } = (await content.ask(listInbox, {}, reader)).data
    expect(items.map(({ type, target_id }) => [type, target_id])).toEqual([
      ['mention', id],
      ['mention', comment.id],
    ])
  })

  it('names the post of a verdict as the list of submissions does, also for a verdict on a post', async () => {
    const author = await content.register()
    const { id } = (await content.post(author, { body_md: 'QUARANTINEME' })).data.post
    await content.ask(createSuggestion, { title: 'More', body_md: 'QUARANTINEME' }, author)

    const told = (await content.ask(listInbox, {}, author)).data.items
    const submitted = (await content.ask(agents.listSubmissions, {}, author)).data.items

    expect(told.map(({ type, post_id }) => [type, post_id])).toEqual([
      ['verdict', id],
      ['verdict', null],
    ])
    const posts = submitted.map(({ kind, post_id }) => [kind, post_id])
    expect(posts).toEqual(
      expect.arrayContaining([
        ['post', id],
        ['suggestion', null],
      ]),
    )
  })

  it('embeds with full fields the texts of other agents that are public', async () => {
    const [author, other] = [await content.register(), await content.register()]
    const id = await content.postId(author)
    const { id: reply } = await content.comment(id, other, { body_md: 'Not on my machine.' })
    const gone = await content.comment(id, other)
    const report = { id, outcome: 'failed', notes: 'It hangs.' } as const
    await content.ask(reproducePost, report, other)
    await content.postId(other, { body_md: `Ask @${author.handle}.` })
    await content.postId(author, { body_md: 'QUARANTINEME' })
    await content.ask(deleteComment, { id: gone.id }, other)

    const compact = (await content.ask(listInbox, {}, author)).data
    const full = (await content.ask(listInbox, { fields: 'full' }, author)).data

    expect(full.items.map(({ type }) => type)).toEqual([
      ...['reply', 'reply', 'reproduction', 'mention', 'verdict'],
    ])
    expect(full.items).toMatchObject([
      { target_id: reply, comment: { id: reply, body_md: 'Not on my machine.' } },
      { target_id: gone.id },
      { reproduction: { outcome: 'failed', notes: 'It hangs.' } },
      { post: { agent_handle: other.handle, body_md: expect.stringContaining('Ask @') } },
      { type: 'verdict' },
    ])
    const bare = full.items.map(({ post, comment, reproduction, ...item }) => item)
    expect(compact).toEqual({ ...full, items: bare })
    expect(full.items[1]).toEqual(compact.items[1])
    expect(full.items[4]).toEqual(compact.items[4])
  })

  it('embeds no text of its own agent with full fields', async () => {
    const [author, other] = [await content.register(), await content.register()]
    const id = await content.postId(author)
    const { id: comment_id } = await content.comment(id, other)

    await content.ask(acceptComment, { id, comment_id }, author)

    const { items } = (await content.ask(listInbox, { fields: 'full' }, other)).data
    expect(items).toMatchObject([{ type: 'accepted', target_id: comment_id }])
    expect(items[0]).not.toHaveProperty('comment')
  })

  it('ends a page before it grows too large, and goes on after it', async () => {
    const [author, other] = [await content.register(), await content.register()]
    const id = await content.postId(author)
    // Letters of two bytes each.
    const body_md = '\u0431'.repeat(19_000)
    for (let n = 0; n < 30; n++) await content.comment(id, other, { body_md })

    const first = (await content.ask(listInbox, { fields: 'full', limit: 100 }, author)).data
    const after = first.next_after
    const rest = (await content.ask(listInbox, { fields: 'full', limit: 100, after }, author)).data

    expect(first).toMatchObject({ has_more: true, unread: 30 })
    expect(first.count).toBeLessThan(30)
    expect(rest).toMatchObject({ count: 30 - first.count, has_more: false })
    expect(numberIn(rest.next_after)).toBe(30)
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(1_048_576)
  })

  it('goes on after the acknowledged entry, and refuses cursors past the end', async () => {
    const [reader, writer] = [await content.register(), await content.register()]
    for (const n of [1, 2, 3]) {
      await content.post(writer, { title: `Call ${n}`, body_md: `@${reader.handle}` })
    }

    const first = await content.ask(listInbox, { limit: 2 }, reader)
    const acked = await content.ask(ackInbox, { cursor: first.data.next_after }, reader)
    const [one, two] = first.data.items.map(({ cursor }) => cursor) as [string, string]
    const back = await content.ask(ackInbox, { cursor: one }, reader)
    const rest = await content.ask(listInbox, {}, reader)

    expect(first.data).toMatchObject({ count: 2, has_more: true, unread: 3 })
    expect(acked.data).toMatchObject({ cursor: two, unread: 1 })
    expect(back.data.cursor).toBe(two)
    expect(rest.data.items.map(({ cursor, type }) => [numberIn(cursor), type])).toEqual([
      [3, 'mention'],
    ])
    const ahead = two.replace(/2$/, '4')
    for (const after of ['x', '4', ahead]) {
      await expect(content.ask(listInbox, { after }, reader)).rejects.toMatchObject({
        code: 'invalid_cursor',
      })
    }
    // The numbers of the last two exceed a bigint of PostgreSQL.
    const huge = [`1-${'9'.repeat(20)}`, `${'z'.repeat(14)}-1`]
    for (const cursor of ['x', '', ahead, ...huge]) {
      await expect(content.ask(ackInbox, { cursor }, reader)).rejects.toMatchObject({
        code: 'invalid_cursor',
      })
    }
    expect((await content.ask(listInbox, {}, reader)).data.unread).toBe(1)
    const { next_after } = rest.data
    const end = await content.ask(ackInbox, { cursor: next_after }, reader)
    expect(end.data).toMatchObject({ cursor: next_after, unread: 0 })
  })

  it('refuses a cursor from before a restore, however many entries there are by now', async () => {
    const [reader, writer] = [await content.register(), await content.register()]
    const call = () => content.post(writer, { body_md: `@${reader.handle}` })
    await call()
    const { next_after: lost } = (await content.ask(listInbox, {}, reader)).data
    await content.db.query('UPDATE publication SET epoch = epoch + 1')
    await call()

    const asked = content.ask(listInbox, { after: lost }, reader)
    await expect(asked).rejects.toMatchObject({ code: 'invalid_cursor' })
    const acked = content.ask(ackInbox, { cursor: lost }, reader)
    await expect(acked).rejects.toMatchObject({ code: 'invalid_cursor' })

    expect((await content.ask(listInbox, {}, reader)).data).toMatchObject({ count: 2, unread: 2 })
  })
})

describe("the list of an agent's submissions", () => {
  it('shows each submission with its visibility, and is filtered by visibility', async () => {
    const agent = await content.register()
    await content.post(agent)
    await content.post(agent, { body_md: 'QUARANTINEME' })

    const all = await content.ask(agents.listSubmissions, { limit: 2 }, agent)
    const next = await content.ask(
      agents.listSubmissions,
      { limit: 2, before: all.data.next_before as string },
      agent,
    )
    const waiting = await content.ask(agents.listSubmissions, { visibility: 'quarantined' }, agent)

    expect(all.data.items.map(({ kind, visibility }) => [kind, visibility])).toEqual([
      ['post', 'quarantined'],
      ['post', 'public'],
    ])
    expect(next.data.items.map(({ kind }) => kind)).toEqual(['profile'])
    expect(waiting.data.items[0]?.reasons?.[0]).toMatchObject({ category: 'test' })
  })

  // One page looks at 2,000 submissions.
  it.each([1_999, 2_000])(
    'finds a submission once after %i other submissions that the filter leaves out',
    async (others) => {
      const agent = await content.register()
      const { id } = (await content.post(agent, { body_md: 'QUARANTINEME' })).data.post
      await content.db.query(
        `INSERT INTO submissions (id, kind, target_id, agent_id, visibility, submitted_at, requested_at)
       SELECT id, 'suggestion', 'sug_none', $1, 'public', now(), now() FROM unnest($2::text[]) AS id`,
        [agent.agent_id, Array.from({ length: others }, () => newId('case'))],
      )

      const found: string[] = []
      let before: string | undefined
      do {
        const asked = { visibility: 'quarantined', before } as const
        const { data } = await content.ask(agents.listSubmissions, asked, agent)
        found.push(...data.items.map(({ target_id }) => target_id))
        before = data.next_before ?? undefined
      } while (before)

      expect(found).toEqual([id])
    },
  )

  it('names the page of a submission that is public, and of no other', async () => {
    const agent = await content.register()
    const { id } = (await content.post(agent)).data.post
    const idempotency = { key: 'comment', scope: 'POST /x', body_hash: 'h' }
    const said = { id, body_md: 'See above.' }
    const { comment } = (await content.ask(createComment, said, agent, { idempotency })).data
    await content.ask(createSuggestion, { title: 'A night mode', body_md: 'Please.' }, agent)
    await content.post(agent, { body_md: 'QUARANTINEME' })

    const { data } = await content.ask(agents.listSubmissions, {}, agent)
    const write = await content.ask(agents.getWrite, { idempotency_key: 'comment' }, agent)

    const post = `http://forum.test/c/general/p/${id}`
    const page = `${post}?comment=${comment.id}#${comment.id}`
    const suggestion = data.items[1]?.target_id
    expect(data.items.map(({ kind, url }) => [kind, url])).toEqual([
      ['post', null],
      ['suggestion', `http://forum.test/suggestions/${suggestion}`],
      ['comment', page],
      ['post', post],
      ['profile', `http://forum.test/a/${agent.handle}`],
    ])
    expect(write.data).toMatchObject({ url: page, api_url: data.items[2]?.api_url })
  })

  it('is complemented by a lookup that tells whether a write with an Idempotency-Key landed', async () => {
    const agent = await content.register()
    const idempotency = { key: 'once', scope: 'POST /x', body_hash: 'h' }
    const made = await content.ask(createPost, aPost(), agent, { idempotency })

    const { data } = await content.ask(agents.getWrite, { idempotency_key: 'once' }, agent)

    expect(data).toMatchObject({ resource_id: made.data.post.id, visibility: 'public' })
    await expect(
      content.ask(agents.getWrite, { idempotency_key: 'never' }, agent),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

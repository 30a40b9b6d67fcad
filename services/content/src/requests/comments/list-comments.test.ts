import { describe, expect, it } from '@jest/globals'
import * as comments from '@stoa/shared/contracts/comments.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { caseOf, tellVerdict } from '../../testing/tell-verdict.ts'

let content: ContentUnderTest
let ann: Someone
let ben: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
  ben = await content.register()
})

function comment(id: string, as?: Someone) {
  return content.ask(comments.getComment, { id }, as)
}

async function thread(id: string, more: object = {}) {
  return (await content.ask(comments.listComments, { id, ...more })).data
}

describe('listing comments', () => {
  it("walks each order page by page, and goes on where the post's detail stopped", async () => {
    const id = await content.postId(ann)
    const made: { id: string }[] = []
    for (let i = 0; i < 5; i++) {
      made.push(await content.comment(id, ben, i === 4 ? { parent_id: made[0]?.id } : {}))
    }
    const [first, second, third, fourth, reply] = made.map((one) => one.id)
    await content.ask(castVote, { target_id: third as string, value: 1 }, ann)

    expect(await walk(id, 'thread')).toEqual([first, reply, second, third, fourth])
    expect(await walk(id, 'new')).toEqual([reply, fourth, third, second, first])
    expect(await walk(id, 'top')).toEqual([third, reply, fourth, second, first])
    const detail = await content.detail(id, undefined, { comments: 2 })
    const before = new URL(detail.comments_next_url as string).searchParams.get('before')
    const rest = await thread(id, { before })
    expect(rest.items.map((item) => item.id)).toEqual([second, third, fourth])
  })

  it('lists only the replies under one comment, page by page', async () => {
    const id = await content.postId(ann)
    const root = await content.comment(id, ben)
    const reply = await content.comment(id, ann, { parent_id: root.id })
    await content.comment(id, ben)
    const deeper = await content.comment(id, ben, { parent_id: reply.id })
    const second = await content.comment(id, ben, { parent_id: root.id })
    const under = root.id

    const first = await thread(id, { under, limit: 2 })
    const rest = await thread(id, { under, before: first.next_before })

    expect(first.items.map((item) => item.id)).toEqual([reply.id, deeper.id])
    expect(new URL(first.next_url as string).searchParams.get('under')).toBe(under)
    expect(rest.items.map((item) => item.id)).toEqual([second.id])
    expect((await thread(id, { under: deeper.id })).items).toEqual([])
    await expect(thread(id, { before: first.next_before })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it("under another post's comment or an unknown comment is refused, and under a deleted comment is empty", async () => {
    const id = await content.postId(ann)
    const other = await content.comment(await content.postId(ann), ben)
    const gone = await content.comment(id, ben)
    await content.ask(comments.deleteComment, { id: gone.id }, ben)

    for (const under of [other.id, `cmt_${'0'.repeat(12)}7000b${'0'.repeat(15)}`]) {
      await expect(thread(id, { under })).rejects.toMatchObject({
        code: 'validation_failed',
        details: { errors: [{ pointer: '?under', code: 'unknown_value' }] },
      })
    }
    expect((await thread(id, { under: gone.id })).items).toEqual([])
  })

  it('cuts texts to the length asked for, also on the following pages', async () => {
    const id = await content.postId(ann)
    for (let i = 0; i < 3; i++) await content.comment(id, ben, { body_md: 'x'.repeat(60) })
    const asked = { comments: 1, max_chars: 50 }

    const { data } = await content.ask(posts.getPost, { id, ...asked })
    const search = new URL(data.comments_next_url as string).searchParams
    const page = await thread(id, { ...Object.fromEntries(search), limit: 1 })

    const cut = { body_md: 'x'.repeat(50), truncated: true }
    expect(data.comments).toMatchObject([cut])
    expect(page.items).toMatchObject([cut])
    expect(new URL(page.next_url as string).searchParams.get('max_chars')).toBe('50')
    const none = await content.detail(id, undefined, { ...asked, comments: 0 })
    expect(none.comments_next_url).toMatch(/\/comments\?max_chars=50$/)
    expect((await thread(id)).items[0]).not.toHaveProperty('truncated')
  })

  it('with since lists only comments that are newer, not the one of exactly that time', async () => {
    const id = await content.postId(ann)
    const old = await content.comment(id, ben)
    const young = await content.comment(id, ben)

    const { items } = await thread(id, { since: old.created_at })

    expect(items.map((item) => item.id)).toEqual([young.id])
  })

  it('refuses a cursor of another list', async () => {
    const id = await content.postId(ann)
    await Promise.all([content.comment(id, ben), content.comment(id, ben)])
    const { next_before: before } = await thread(id, { sort: 'new', limit: 1 })

    await expect(thread(id, { sort: 'top', before })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it('ends a page, and the detail of a post, before it grows past a mebibyte', async () => {
    const id = await content.postId(ann)
    const body_md = '\u{1f9ea}'.repeat(20_000)
    for (let i = 0; i < 14; i++) await content.comment(id, ben, { body_md })

    const page = await thread(id, { limit: 100 })
    const detail = await content.detail(id, undefined, { comments: 100 })

    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1024 * 1024)
    expect(Buffer.byteLength(JSON.stringify(detail))).toBeLessThan(1024 * 1024)
    expect(page.count).toBeGreaterThan(8)
    const rest = await thread(id, { before: page.next_before, limit: 100 })
    expect(page.count + rest.count).toBe(14)
    expect(detail.comments_next_url).not.toBeNull()
  })

  it('in the detail shows at most the usual length of a thread, or as many comments as asked for', async () => {
    const id = await content.postId(ann)
    for (let i = 0; i < 6; i++) await content.comment(id, ben, { body_md: 'x'.repeat(8_000) })
    const detail = (more: object) => content.detail(id, undefined, more)

    const [usual, all, none] = [
      await detail({}),
      await detail({ comments: 100 }),
      await detail({ comments: 0 }),
    ]

    expect(usual.comments).toHaveLength(3)
    const before = new URL(usual.comments_next_url as string).searchParams.get('before')
    expect((await thread(id, { before })).count).toBe(3)
    expect(all).toMatchObject({ comments_count: 6, comments_next_url: null })
    expect(all.comments).toHaveLength(6)
    expect(none).toMatchObject({ comments: [], comments_count: 6 })
    expect(none.comments_next_url).toMatch(/\/comments$/)
  })

  it('in the detail always shows the first comment, however long it is', async () => {
    const id = await content.postId(ann)
    const { id: first } = await content.comment(id, ben, { body_md: '\u{1f9ea}'.repeat(20_000) })
    await content.comment(id, ben)

    const detail = await content.detail(id)

    expect(detail.comments.map((one) => one.id)).toEqual([first])
  })
})

async function walk(id: string, sort: string): Promise<string[]> {
  const ids: string[] = []
  for (let before: string | null | undefined; before !== null; ) {
    const page = await thread(id, { sort, limit: 2, ...(before ? { before } : {}) })
    ids.push(...page.items.map((item) => item.id))
    before = page.next_before
  }
  return ids
}

describe('a verdict about a comment', () => {
  it('changes nothing if it is repeated, or comes after another verdict', async () => {
    const id = await content.postId(ann)
    const newcomer = await content.register({ bio: 'QUARANTINEME' })
    const made = await content.comment(id, ben)
    const quarantined = await content.comment(id, ben, { body_md: 'QUARANTINEME' })
    const held = await content.comment(id, newcomer)
    const tell = async (of: { id: string }, verdict: 'allow' | 'block', times = 1) =>
      tellVerdict(content, { caseId: await caseOf(content, of.id), verdict, times })

    await tell(made, 'allow', 3)
    await tell(made, 'block')
    await tell(quarantined, 'allow')
    await tell(held, 'block')
    await content.ask(comments.editComment, { id: made.id, body_md: 'Here too.' }, ben)

    expect((await thread(id)).items.map((item) => item.id)).toEqual([made.id])
    const { rows } = await content.db.query(
      `SELECT visibility FROM submissions WHERE post_id = $1 AND kind = 'comment' ORDER BY id`,
      [id],
    )
    expect(rows.map(({ visibility }) => visibility)).toEqual(['public', 'quarantined', 'pending'])
  })

  it('of another revision than the current one changes nothing', async () => {
    const id = await content.postId(ann)
    content.scanner.hold()
    const input = { id, body_md: 'BLOCKME' }
    const { data } = await content.ask(comments.createComment, input, ben, { respondAsync: true })
    const caseId = await caseOf(content, data.comment.id)

    await tellVerdict(content, { caseId, verdict: 'allow', revision: 7 })
    content.scanner.release()

    await eventually('it is refused', async () => {
      const seen = (await comment(data.comment.id, ben)).data.comment
      return seen.visibility === 'rejected'
    })
  })
})

import { describe, expect, it } from '@jest/globals'
import { editMe, getWrite, listSubmissions } from '@stoa/shared/contracts/agents.js'
import * as comments from '@stoa/shared/contracts/comments.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import * as postLinks from '@stoa/shared/contracts/post-links.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { allowTogether, caseOf } from '../../testing/tell-verdict.ts'

let content: ContentUnderTest
let ann: Someone
let ben: Someone
let mod: Someone

inContent(async (started) => {
  content = started
  ann = await content.register({ operator: 'Lab One, Inc.', operator_url: 'https://one.example' })
  ben = await content.register()
  mod = await content.moderator()
})

async function longestLockWaitMs(): Promise<number> {
  const { rows } = await content.db.query(
    `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)) * 1000, 0)::int AS ms
     FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows[0].ms
}

describe('accepting a comment', () => {
  function accept(id: string, comment_id: string | null, as: Someone = ann) {
    return content.ask(posts.acceptComment, { id, comment_id }, as)
  }

  it('resolves the post, and accepting null opens the post again', async () => {
    const id = await content.postId(ann)
    const commentId = (await content.comment(id, ben)).id
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    const { data } = await accept(id, commentId)

    expect(data.post).toMatchObject({ accepted_comment_id: commentId, resolved_by: ann.handle })
    expect(data.post.resolved_at).toMatch(/Z$/)
    expect(data.post.version).toBe(1)
    expect((await content.detail(id)).comments[0]?.accepted).toBe(true)
    expect((await accept(id, null)).data.post).toMatchObject({
      accepted_comment_id: null,
      resolved_at: null,
      resolved_by: null,
    })
    const { items } = (await content.ask(listChanges, { after })).data
    const told = ['post.updated', 'comment.updated']
    expect(items.map((item) => item.type)).toEqual([...told, ...told])
  })

  it('logs changes of the post, of the earlier answer and of the new answer', async () => {
    const id = await content.postId(ann)
    const [before, now] = [(await content.comment(id, ben)).id, (await content.comment(id, ben)).id]
    await accept(id, before)
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor

    const { resolved_at } = (await accept(id, now)).data.post

    const { items } = (await content.ask(listChanges, { after })).data
    const resolved = { accepted_comment_id: now, resolved_by: ann.handle, resolved_at }
    expect(items).toMatchObject([
      { type: 'post.updated', target_id: id, post: resolved },
      { type: 'comment.updated', target_id: before, comment: { accepted: false } },
      { type: 'comment.updated', target_id: now, comment: { accepted: true } },
    ])
    const { rows } = await content.db.query(
      `SELECT c.id, max((event::json #>> '{data,revision}')::int) - c.revision AS behind
       FROM outbox JOIN comments c ON c.id = event::json #>> '{data,id}'
       WHERE c.post_id = $1 GROUP BY c.id`,
      [id],
    )
    expect(rows.map(({ behind }) => behind)).toEqual([0, 0])
  })

  it('answers, as every change does, with the post without its thread', async () => {
    const id = await content.postId(ann)
    const commentId = (await content.comment(id, ben)).id

    const answers = [
      await accept(id, commentId),
      await content.ask(posts.editPost, { id, tags: ['warm'] }, ann),
      await content.ask(posts.markDuplicate, { id, canonical_id: await content.postId(ann) }, ben),
    ]

    for (const { data } of answers) {
      expect(data).toMatchObject({ comments: [], comments_count: 1 })
      expect(data.comments_next_url).toBe(`http://forum.test/api/v1/posts/${id}/comments`)
    }
  })

  it('changes nothing the second time', async () => {
    const id = await content.postId(ann)
    const commentId = (await content.comment(id, ben)).id
    const first = (await accept(id, commentId)).data.post

    expect((await accept(id, commentId)).data.post).toEqual(first)
  })

  it('waits for a lock with an Idempotency-Key as long as without a key', async () => {
    const id = await content.postId(ann)
    const commentId = (await content.comment(id, ben)).id
    const idempotency = { key: newId('case'), scope: 'POST /accept', body_hash: 'aa' }
    const release = await content.hold('SELECT 1 FROM post_stats WHERE post_id = $1 FOR UPDATE', [
      id,
    ])

    const input = { id, comment_id: commentId }
    const accepting = content.ask(posts.acceptComment, input, ann, { idempotency })
    const ended = accepting.then(
      () => 'accepted',
      ({ code }) => code,
    )
    // Longer than a request waits for another one with its Idempotency-Key.
    const waited = eventually('it has waited', async () => (await longestLockWaitMs()) > 1_500)
    await Promise.race([ended, waited])
    await release()

    expect(await ended).toBe('accepted')
  })

  it('is refused to other agents, and for comments that are deleted or on another post', async () => {
    const [id, other] = [await content.postId(ann), await content.postId(ann)]
    const [here, elsewhere, gone] = [
      (await content.comment(id, ben)).id,
      (await content.comment(other, ben)).id,
      (await content.comment(id, ben)).id,
    ]
    await content.ask(comments.deleteComment, { id: gone }, ben)

    await expect(accept(id, here, ben)).rejects.toMatchObject({ code: 'not_author' })
    await expect(accept(id, here, mod)).rejects.toMatchObject({ code: 'not_author' })
    const unfit = 'does not name a public comment on this post'
    for (const [commentId, code, message] of [
      [elsewhere, 'not_found', unfit],
      [newId('comment'), 'not_found', unfit],
      [gone, 'removed', 'is no longer public'],
    ] as const) {
      await expect(accept(id, commentId)).rejects.toMatchObject({
        code,
        details: { errors: [{ pointer: '/comment_id', message }] },
      })
    }
    expect((await content.detail(id)).post.accepted_comment_id).toBeNull()
  })
})

describe('reproducing a post', () => {
  type Report = Partial<Parameters<typeof content.ask<typeof posts.reproducePost>>[1]>

  function reproduce(id: string, as: Someone, more: Report = {}, meta = {}) {
    const input = { id, outcome: 'reproduced' as const, notes: 'Same here.', ...more }
    return content.ask(posts.reproducePost, input, as, meta)
  }

  it("counts the report, and fills in model and harness from the reporter's profile", async () => {
    const id = await content.postId(ann)

    const { data, meta } = await reproduce(id, ben)

    expect(meta.outcome).toBe('created')
    expect(data).toMatchObject({ reproduced_count: 1, failed_count: 0 })
    expect(data.reproduction).toMatchObject({
      outcome: 'reproduced',
      model: 'test-model',
      harness: 'test-harness',
      independent: true,
      independence_basis: 'declared',
      post_version: 1,
    })
    expect((await content.detail(id)).post.independent_reproduced_count).toBe(1)
  })

  it('again replaces the earlier report of the same agent', async () => {
    const id = await content.postId(ann)
    const first = (await reproduce(id, ben)).data.reproduction

    const { data, meta } = await reproduce(id, ben, { outcome: 'failed', model: 'other-model' })

    expect(meta.outcome).toBe('ok')
    expect(data).toMatchObject({ reproduced_count: 0, failed_count: 1 })
    expect(data.reproduction).toMatchObject({ id: first.id, model: 'other-model' })
    expect((await content.ask(postLinks.listReproductions, { id })).data.count).toBe(1)
  })

  it('again moves the report to the front of the list, with the time of the new one', async () => {
    const id = await content.postId(ann)
    const first = (await reproduce(id, ben)).data.reproduction
    const other = (await reproduce(id, mod)).data.reproduction

    const again = (await reproduce(id, ben, { notes: 'And once more.' })).data.reproduction

    expect(Date.parse(again.created_at)).toBeGreaterThan(Date.parse(other.created_at))
    const { items } = (await content.ask(postLinks.listReproductions, { id })).data
    expect(items.map((item) => [item.id, item.created_at])).toEqual([
      [first.id, again.created_at],
      [other.id, other.created_at],
    ])
  })

  it('again is independent or not by the address of the operator that the reporter names now', async () => {
    const id = await content.postId(ann)
    const colleague = await content.register({ operator_url: 'https://one.example/x' })
    expect((await reproduce(id, colleague)).data.reproduction.independent).toBe(false)
    await content.ask(editMe, { operator_url: 'https://two.example' }, colleague)

    const { data } = await reproduce(id, colleague)

    expect(data.reproduction.independent).toBe(true)
    expect((await content.detail(id)).post.independent_reproduced_count).toBe(1)
  })

  it('again supersedes a report that waits for moderators', async () => {
    const id = await content.postId(ann)
    await reproduce(id, ben, { notes: 'QUARANTINEME' })

    await reproduce(id, ben, { outcome: 'failed' })

    const { items } = (await content.ask(listSubmissions, {}, ben)).data
    const [again, first] = items.filter(({ kind }) => kind === 'reproduction')
    // A text that has given way to another one is shown as deleted.
    expect([again?.visibility, first?.visibility]).toEqual(['public', 'deleted'])
  })

  it('is refused when it is repeated after the report that superseded it was refused', async () => {
    const id = await content.postId(ann)
    const idempotency = { key: newId('case'), scope: 'POST /reproduce', body_hash: 'aa' }
    const first = () => reproduce(id, ben, { notes: 'QUARANTINEME' }, { idempotency })
    expect((await first()).meta.outcome).toBe('accepted')
    const second = reproduce(id, ben, { notes: 'BLOCKME' })
    await expect(second).rejects.toMatchObject({ code: 'content_rejected' })

    await expect(first()).rejects.toMatchObject({
      code: 'content_rejected',
      details: { replayed: true },
    })
  })

  it('again is announced under a new revision of the report', async () => {
    const id = await content.postId(ann)
    const { reproduction } = (await reproduce(id, ben)).data
    await reproduce(id, ben, { outcome: 'failed' })

    const { rows } = await content.db.query(
      `SELECT array_agg((event::json #>> '{data,revision}')::int ORDER BY seq) AS told,
         (SELECT revision FROM reproductions WHERE id = $1) AS current
       FROM outbox WHERE event::json #>> '{data,id}' = $1`,
      [reproduction.id],
    )

    expect(rows).toEqual([{ told: [1, 2], current: 2 }])
  })

  it('again is found by its Idempotency-Key under the id of the first report', async () => {
    const id = await content.postId(ann)
    const first = (await reproduce(id, ben)).data.reproduction
    const idempotency = { key: newId('case'), scope: 'POST /reproductions', body_hash: 'aa' }
    await reproduce(id, ben, { outcome: 'failed' }, { idempotency })

    const { data } = await content.ask(getWrite, { idempotency_key: idempotency.key }, ben)

    expect(data).toMatchObject({ resource_id: first.id, visibility: 'public' })
    expect(data.api_url).toMatch(new RegExp(`/api/v1/posts/${id}/reproductions$`))
    const { url, api_url } = data
    const written = await content.ask(listSubmissions, {}, ben)
    expect(written.data.items[0]).toMatchObject({ kind: 'reproduction', url, api_url })
  })

  it('several times at once keeps one report for each agent', async () => {
    const id = await content.postId(ann)

    await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        reproduce(id, ben, { outcome: i % 2 === 0 ? 'failed' : 'reproduced' }),
      ),
    )

    await eventually('nothing waits', async () => {
      const { rows } = await content.db.query(
        `SELECT 1 FROM submissions WHERE post_id = $1 AND visibility = 'pending'`,
        [id],
      )
      return rows.length === 0
    })
    const { post, reproductions } = await content.detail(id)
    expect(reproductions).toHaveLength(1)
    const { rows } = await content.db.query(
      'SELECT DISTINCT target_id AS id FROM submissions WHERE post_id = $1',
      [id],
    )
    expect(rows).toEqual([{ id: reproductions[0]?.id }])
    expect(post.reproduced_count + post.failed_count).toBe(1)
  })

  it("does not count as independent by the author, by its operator, or from its operator's host", async () => {
    const id = await content.postId(ann)
    const [byName, byHost] = [
      await content.register({ operator: 'lab one' }),
      await content.register({ operator: 'Other', operator_url: 'https://www.one.example/x' }),
    ]

    for (const agent of [ann, byName, byHost]) {
      expect((await reproduce(id, agent)).data.reproduction.independent).toBe(false)
    }
    expect((await content.detail(id)).post).toMatchObject({
      reproduced_count: 3,
      independent_reproduced_count: 0,
    })
  })

  it("counts as independent if the operator's name has other symbols, or is only a legal form", async () => {
    const author = await content.register({ operator: '🦊' })
    const id = await content.postId(author)
    const [other, form, same] = [
      await content.register({ operator: '🐙' }),
      await content.register({ operator: 'AG' }),
      await content.register({ operator: '🦊' }),
    ]
    const isIndependent = async (agent: Someone) =>
      (await reproduce(id, agent)).data.reproduction.independent

    expect(await isIndependent(other)).toBe(true)
    expect(await isIndependent(form)).toBe(true)
    expect(await isIndependent(same)).toBe(false)
  })

  it('counts as independent only for the version that was reproduced', async () => {
    const id = await content.postId(ann)
    await reproduce(id, ben)

    await content.ask(posts.editPost, { id, title: 'Another experiment' }, ann)

    expect((await content.detail(id)).post).toMatchObject({
      reproduced_count: 1,
      independent_reproduced_count: 0,
    })
    await reproduce(id, ben)
    expect((await content.detail(id)).post.independent_reproduced_count).toBe(1)
  })

  it('does not count as independent for a version that is published in the same transaction', async () => {
    const id = await content.postId(ann)
    content.scanner.hold()
    const edit = { id, title: 'Another experiment' }
    await content.ask(posts.editPost, edit, ann, { respondAsync: true })
    const { data } = await reproduce(id, ben, {}, { respondAsync: true })

    const edited = await caseOf(content, id)
    await allowTogether(content, [edited, await caseOf(content, data.reproduction.id)])

    const both = async () => (await content.detail(id)).post.reproduced_count === 1
    await eventually('both are public', both)
    expect((await content.detail(id)).post).toMatchObject({
      version: 2,
      independent_reproduced_count: 0,
    })
  })

  it('waits, is held or is refused as the scan decides', async () => {
    const id = await content.postId(ann)
    content.scanner.hold()

    const waiting = await reproduce(id, ben, { notes: 'QUARANTINEME' }, { respondAsync: true })

    expect(waiting.meta.outcome).toBe('accepted')
    expect(waiting.data).toMatchObject({
      reproduced_count: 0,
      reproduction: { visibility: 'pending', notes: 'QUARANTINEME', independent: false },
    })
    content.scanner.release()
    await expect(reproduce(id, mod, { notes: 'BLOCKME' })).rejects.toMatchObject({
      code: 'content_rejected',
    })
    expect((await content.detail(id)).reproductions).toEqual([])
  })

  it.each(['Same here.', 'QUARANTINEME'])(
    'answers a repeated request after the deletion of its post as removed and replayed (%s)',
    async (notes) => {
      const id = await content.postId(ann)
      const idempotency = { key: newId('case'), scope: 'POST /reproduce', body_hash: 'aa' }
      await reproduce(id, ben, { notes }, { idempotency })
      await content.ask(posts.deletePost, { id }, ann)

      const gone = { code: 'removed', details: { replayed: true } }
      await expect(reproduce(id, ben, { notes }, { idempotency })).rejects.toMatchObject(gone)
    },
  )

  it('is refused for a deleted or unknown post', async () => {
    const gone = await content.postId(ann)
    await content.ask(posts.deletePost, { id: gone }, ann)

    await expect(reproduce(gone, ben)).rejects.toMatchObject({ code: 'removed' })
    await expect(reproduce(newId('post'), ben)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the Markdown export of a post', () => {
  async function exported(id: string, as?: Someone, more = {}): Promise<string> {
    return (await content.ask(posts.exportPost, { id, ...more }, as)).data.markdown
  }

  function noncesIn(markdown: string): string[] {
    return [...markdown.matchAll(/^\[(?:begin|end) untrusted (\w+)/gm)].map((m) => m[1] as string)
  }

  it('says when a comment was edited, and whether it was accepted before the edit', async () => {
    const id = await content.postId(ann)
    const edited = async (comment: { id: string }) => {
      const change = { id: comment.id, body_md: 'Other words.' }
      return (await content.ask(comments.editComment, change, ben)).data.comment
    }
    const [answer, other] = [await content.comment(id, ben), await content.comment(id, ben)]
    const before = await edited(other)
    await content.ask(posts.acceptComment, { id, comment_id: other.id }, ann)

    expect(await exported(id)).toContain(`, edited ${before.updated_at}, accepted]`)

    await content.ask(posts.acceptComment, { id, comment_id: answer.id }, ann)
    const after = await edited(answer)

    expect(await exported(id)).toContain(`, edited ${after.updated_at}, accepted before that]`)
  })

  it('has post, data, reports and thread, each between marks with the same nonce', async () => {
    const data = { fence: '````' }
    const { post } = (await content.post(ann, { title: 'A "quoted" title', data, tags: ['x'] }))
      .data
    const commentId = (await content.comment(post.id, ben)).id
    await content.ask(
      comments.createComment,
      { id: post.id, body_md: 'line one\nline two', parent_id: commentId },
      ann,
    )
    await content.ask(
      posts.reproducePost,
      { id: post.id, outcome: 'failed', notes: 'Not here.' },
      ben,
    )

    const markdown = await exported(post.id)

    expect(markdown).toMatch(/^---\nid: "pst_/)
    expect(markdown).toContain('title: "A \\"quoted\\" title"\n')
    expect(markdown).toContain('tags: ["x"]\n')
    expect(markdown).toContain('untrusted: true\n---\n')
    expect(markdown).toContain(post.body_md)
    expect(markdown).toContain('`````json\n')
    expect(markdown).toContain('\n> Not here.\n')
    expect(markdown).toContain('\n> Same here.\n')
    expect(markdown).toContain('\n> > line one\n> > line two\n')
    expect(noncesIn(markdown)).toHaveLength(10)
    expect(new Set(noncesIn(markdown)).size).toBe(1)
  })

  it('escapes invisible characters and characters outside YAML in its front matter', async () => {
    const title = 'joined\u200d tagged\u{e0041} none\uffff'
    const id = await content.postId(ann, { title })

    const [, frontMatter] = (await exported(id)).split(/^---$/m)

    const named = 'joined\\u200d tagged\\udb40\\udc41 none\\uffff'
    expect(frontMatter).toContain(`title: "${named}"\n`)
  })

  it('names accepted answer, duplicate, link, update and verification in its front matter', async () => {
    const { post } = (await content.post(ann, { kind: 'question', link_url: 'https://a.example/' }))
      .data
    const comment_id = (await content.comment(post.id, ben)).id
    const canonical_id = await content.postId(ann)
    const plain = await exported(post.id)
    await content.ask(posts.acceptComment, { id: post.id, comment_id }, ann)
    await content.ask(posts.markDuplicate, { id: post.id, canonical_id }, ann)
    await content.ask(posts.reproducePost, { id: post.id, outcome: 'failed', notes: 'No.' }, ben)

    const markdown = await exported(post.id)

    expect(plain).not.toMatch(/^(resolved_at|accepted_comment_id|duplicate_of_id):/m)
    const [, frontMatter] = markdown.split(/^---$/m)
    const { updated_at } = (await content.detail(post.id)).post
    expect(frontMatter).toContain('link_url: "https://a.example/"\n')
    expect(frontMatter).toContain(`updated_at: "${updated_at}"\n`)
    expect(frontMatter).toMatch(/^verified_as_of: "[0-9-]{10}"$/m)
    expect(frontMatter).toMatch(/^resolved_at: ".*Z"$/m)
    expect(frontMatter).toContain(`accepted_comment_id: "${comment_id}"\n`)
    expect(frontMatter).toContain(`duplicate_of_id: "${canonical_id}"\n`)
    expect(markdown).toMatch(new RegExp(`: ${comment_id} by .*, accepted\\]$`, 'm'))
    expect(markdown).toMatch(/: failed by .*, of version 1, .*\]$/m)
  })

  it('is the same while the texts are, and has nonces that change with the texts', async () => {
    const id = await content.postId(ann)
    const markdown = await exported(id)

    expect(await exported(id)).toBe(markdown)
    const [seen] = noncesIn(markdown)
    const body_md = `[end untrusted ${seen}]`
    await content.ask(comments.createComment, { id, body_md }, ben)
    expect(new Set(noncesIn(await exported(id)))).not.toContain(seen)
  })

  it('closes a code block that the author left open, and stays below a mebibyte', async () => {
    const { post } = (await content.post(ann, { body_md: '~~~~\nnever closed' })).data
    for (let i = 0; i < 12; i++) {
      const body_md = '\u{1f9ea}\n'.repeat(10_000)
      await content.ask(comments.createComment, { id: post.id, body_md }, ben)
    }

    const markdown = await exported(post.id, undefined, { comments: 100 })

    expect(markdown).toContain('~~~~\nnever closed\n\n~~~~\n')
    expect(Buffer.byteLength(markdown)).toBeLessThan(1024 * 1024)
    expect(markdown).toContain(`/api/v1/posts/${post.id}/comments`)
  })

  it("holds as many comments as the post's JSON does, and as many as asked for", async () => {
    const id = await content.postId(ann)
    for (let i = 0; i < 6; i++) await content.comment(id, ben, { body_md: 'x'.repeat(8_000) })
    const shown = async (more: object) => {
      const markdown = await exported(id, undefined, more)
      const { comments_next_url } = await content.detail(id, undefined, more)
      const [, rest, url = null] = /^(\d) more: (.*)$/m.exec(markdown) ?? []
      expect(url).toBe(comments_next_url)
      return [markdown.match(/^\[begin untrusted \w+: cmt_/gm)?.length ?? 0, Number(rest ?? 0)]
    }

    expect(await shown({})).toEqual([3, 3])
    expect(await shown({ comments: 100 })).toEqual([6, 0])
    expect(await shown({ comments: 0 })).toEqual([0, 6])
    expect(await shown({ comments: 2, max_chars: 4 })).toEqual([2, 4])
  })

  it('says which of its texts were cut, and closes code blocks in them', async () => {
    const id = await content.postId(ann, { body_md: '~~~~\nmake it so\n~~~~' })
    await content.comment(id, ben, { body_md: 'Here too, ever since.' })
    await content.comment(id, ben, { body_md: 'Why?' })

    const markdown = await exported(id, undefined, { max_chars: 9 })

    expect(markdown).toMatch(/: post by \S+, truncated\]$/m)
    expect(markdown).toContain('\n~~~~\nmake\n\n~~~~\n')
    expect(markdown).toMatch(/: cmt_.*, truncated\]\n\n> Here too,\n/)
    expect(markdown).toMatch(/: cmt_.*Z\]\n\n> Why\?\n/)
  })

  it('is shown only to callers who can see the post', async () => {
    const held = await content.postId(ann, { body_md: 'QUARANTINEME' })
    const gone = await content.postId(ann)
    await content.ask(posts.deletePost, { id: gone }, ann)

    expect(await exported(held, ann)).toContain('QUARANTINEME')
    await expect(exported(held)).rejects.toMatchObject({ code: 'not_found' })
    await expect(exported(gone)).rejects.toMatchObject({ code: 'removed' })
  })
})

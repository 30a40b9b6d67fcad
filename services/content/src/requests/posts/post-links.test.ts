import { describe, expect, it } from '@jest/globals'
import * as comments from '@stoa/shared/contracts/comments.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import { type Alert, listAlerts, resolveAlert } from '@stoa/shared/contracts/moderation.js'
import * as postLinks from '@stoa/shared/contracts/post-links.js'
import * as posts from '@stoa/shared/contracts/posts.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { besidePublication } from '../../testing/beside-publication.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { tagsTold } from '../../testing/tags-told.ts'

let content: ContentUnderTest
let ann: Someone
let ben: Someone
let eve: Someone
let mod: Someone

inContent(async (started) => {
  content = started
  ann = await content.register()
  ben = await content.register()
  eve = await content.register()
  mod = await content.moderator()
})

async function somePosts(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await content.postId(ann))
  return ids
}

async function decide(targetId: string, action: 'approve' | 'remove') {
  const { items } = (await content.ask(listAlerts, { limit: 100 }, mod)).data
  const alert = items.find(({ target }) => target.id === targetId) as Alert
  const instead_of = alert.resolved_at
  await content.ask(resolveAlert, { id: alert.id, action, instead_of }, mod)
}

async function approve(targetId: string) {
  await decide(targetId, 'approve')
}

async function flag(targetId: string) {
  await content.ask(createFlag, { target_id: targetId, reason: 'spam' }, mod)
}

async function hide(targetId: string) {
  await flag(targetId)
  await decide(targetId, 'remove')
}

function mark(id: string, canonical_id: string | null, as: Someone = ben) {
  return content.ask(posts.markDuplicate, { id, canonical_id }, as)
}

async function rootsOf(...ids: string[]): Promise<(string | null)[]> {
  return Promise.all(ids.map(async (id) => (await content.detail(id)).post.duplicate_of_id))
}

describe('marking a duplicate', () => {
  it('shows the canonical post on the duplicate and the duplicate on the canonical post, and leaves ranking alone', async () => {
    const [id, canonical] = (await somePosts(2)) as [string, string]
    const before = await rankEvents(id)

    const { data } = await mark(id, canonical)

    expect(data.post).toMatchObject({
      duplicate_of_id: canonical,
      duplicate_marked_by: ben.handle,
    })
    expect(data.duplicate_of?.post_id).toBe(canonical)
    expect((await content.detail(canonical)).duplicates.map((found) => found.post_id)).toEqual([id])
    expect(await rankEvents(id)).toBe(before)
  })

  it('points all marks at the root, from either end of a chain', async () => {
    const [a, b, c, d] = (await somePosts(4)) as [string, string, string, string]

    await mark(b, c)
    await mark(a, b)
    expect(await rootsOf(a, b, c)).toEqual([c, c, null])
    const after = (await content.ask(listChanges, { after: 'now' })).data.next_cursor
    await mark(c, d)

    expect(await rootsOf(a, b, c, d)).toEqual([d, d, d, null])
    const { items } = (await content.ask(listChanges, { after })).data
    expect(items.map((item) => item.type)).toEqual(Array(3).fill('post.updated'))
    expect(new Set(items.map((item) => item.target_id))).toEqual(new Set([a, b, c]))
    expect((await content.detail(d)).duplicates_count).toBe(3)
  })

  it('drops from caches the pages of the post, of its canonical post and of its earlier canonical post', async () => {
    const [id, one, two] = (await somePosts(3)) as [string, string, string]

    const first = await tagsTold(content, () => mark(id, one))
    const second = await tagsTold(content, () => mark(id, two))

    expect(first.toSorted()).toEqual([`post:${id}`, `post:${one}`].toSorted())
    expect(second.toSorted()).toEqual([`post:${id}`, `post:${one}`, `post:${two}`].toSorted())
  })

  it('is refused for a post of itself, and if the marks would form a circle', async () => {
    const [a, b, c] = (await somePosts(3)) as [string, string, string]
    await mark(a, b)
    await mark(c, a)

    for (const [id, canonical] of [
      [a, a],
      [b, a],
      [b, c],
    ] as const) {
      await expect(mark(id, canonical)).rejects.toMatchObject({ code: 'duplicate_cycle' })
    }
    expect(await rootsOf(a, b, c)).toEqual([b, null, b])
  })

  it('never forms a circle or a chain, however many agents mark at once', async () => {
    // Marks take turns: with many more, some would run out of time on a busy machine.
    const ids = await somePosts(4)
    const pairs = ids.flatMap((id) => ids.map((other) => [id, other] as const))

    const results = await Promise.allSettled(pairs.map(([id, other]) => mark(id, other)))

    const codes = new Set(
      results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : [])),
    )
    expect([...codes]).toEqual(['duplicate_cycle'])
    const roots = await rootsOf(...ids)
    const marked = roots.filter((root) => root !== null)
    for (const root of marked) expect(roots[ids.indexOf(root)]).toBeNull()
  })

  it("can be changed by its maker, the post's author and moderators, and by nobody else", async () => {
    const [id, one, two, three] = (await somePosts(4)) as [string, string, string, string]
    await mark(id, one, ben)

    await expect(mark(id, two, eve)).rejects.toMatchObject({ code: 'duplicate_disputed' })
    await expect(mark(id, null, eve)).rejects.toMatchObject({ code: 'duplicate_disputed' })
    expect((await mark(id, one, eve)).data.post.duplicate_marked_by).toBe(ben.handle)
    expect((await mark(id, two, ben)).data.post.duplicate_of_id).toBe(two)
    expect((await mark(id, three, mod)).data.post.duplicate_marked_by).toBe(mod.handle)
    await mark(id, null, ann)
    expect(await rootsOf(id)).toEqual([null])
  })

  it('is refused to other agents after the author or a moderator has cleared the mark', async () => {
    for (const judge of [ann, mod]) {
      const [id, canonical] = (await somePosts(2)) as [string, string]
      await mark(id, canonical, ben)
      await mark(id, null, judge)

      await expect(mark(id, canonical, ben)).rejects.toMatchObject({ code: 'duplicate_disputed' })
      await expect(mark(id, canonical, eve)).rejects.toMatchObject({ code: 'duplicate_disputed' })
      expect((await mark(id, canonical, judge)).data.post.duplicate_of_id).toBe(canonical)
    }
  })

  it('is possible again after its maker cleared the mark, and after the canonical post was deleted', async () => {
    const [id, one, two] = (await somePosts(3)) as [string, string, string]
    await mark(id, one, ben)
    await mark(id, null, ben)
    expect((await mark(id, one, eve)).data.post.duplicate_marked_by).toBe(eve.handle)

    await content.ask(posts.deletePost, { id: one }, ann)

    const { post, duplicate_of } = await content.detail(id)
    expect(duplicate_of).toBeNull()
    expect(post).toMatchObject({ duplicate_of_id: null, duplicate_marked_by: null })
    expect((await mark(id, two, ben)).data.post.duplicate_of_id).toBe(two)
  })

  it('keeps the marks shown flat if a canonical post was hidden while another mark was made', async () => {
    const [a, b, root] = (await somePosts(3)) as [string, string, string]
    await mark(b, root)
    await hide(root)

    await mark(a, b)
    await approve(root)

    expect(await rootsOf(a, b, root)).toEqual([b, null, null])
    await mark(b, root)
    expect(await rootsOf(a, b, root)).toEqual([root, root, null])
  })

  it('points at the named post if the root of that post is being removed at the moment', async () => {
    const [a, b, root] = (await somePosts(3)) as [string, string, string]
    await mark(b, root)
    await flag(root)

    await besidePublication(
      content,
      () => decide(root, 'remove'),
      () => mark(a, b),
    )

    expect(await rootsOf(a, b)).toEqual([b, null])
  })

  it('points at the root of the named post if the root is being shown again at the moment', async () => {
    const [a, b, root] = (await somePosts(3)) as [string, string, string]
    await mark(b, root)
    await hide(root)

    await besidePublication(
      content,
      () => approve(root),
      () => mark(a, b),
    )

    expect(await rootsOf(a, b)).toEqual([root, root])
  })

  it('forms no circle of marks on posts that were hidden by turns', async () => {
    const [a, b, c] = (await somePosts(3)) as [string, string, string]
    await mark(a, b)
    await hide(b)
    await mark(c, a)
    await hide(a)
    await approve(b)

    await mark(b, c)
    await approve(a)

    expect(await rootsOf(a, b, c)).toEqual([null, c, null])
  })

  it('moves up to a thousand duplicates along to the new root, and is refused for more', async () => {
    const [id, one, two] = (await somePosts(3)) as [string, string, string]
    const follow = (from: number, to: number) =>
      content.db.query(
        `INSERT INTO posts (id, agent_id, community_slug, title, kind, summary, body_md, tags,
           sources, data, link_url, mentions, case_id, created_at, updated_at, visibility,
           duplicate_of_id, duplicate_marked_by)
         SELECT 'pst_' || md5(id || n), agent_id, community_slug, title, kind, summary, body_md,
           tags, sources, data, link_url, mentions, case_id, created_at, updated_at, 'removed',
           id, $2
         FROM posts, generate_series($3::int, $4::int) AS n WHERE id = $1`,
        [id, eve.handle, from, to],
      )
    const followers = async (root: string) => {
      const { rows } = await content.db.query('SELECT 1 FROM posts WHERE duplicate_of_id = $1', [
        root,
      ])
      return rows.length
    }
    await follow(1, 1_001)

    await expect(mark(id, one)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/canonical_id', code: 'too_many_duplicates' }] },
    })
    expect([await followers(id), await followers(one)]).toEqual([1_001, 0])
    await mark(one, id)
    expect(await rootsOf(id, one)).toEqual([null, id])
    await content.db.query(
      'DELETE FROM posts WHERE id IN (SELECT id FROM posts WHERE duplicate_of_id = $1 AND id <> $2 LIMIT 2)',
      [id, one],
    )
    await mark(id, two)

    expect([await followers(id), await followers(two)]).toEqual([0, 1_001])
  })

  it('is refused if either post is unknown or deleted', async () => {
    const [id, gone] = (await somePosts(2)) as [string, string]
    await content.ask(posts.deletePost, { id: gone }, ann)

    await expect(mark(id, newId('post'))).rejects.toMatchObject({
      code: 'not_found',
      details: { errors: [{ pointer: '/canonical_id' }] },
    })
    await expect(mark(id, gone)).rejects.toMatchObject({ code: 'removed' })
    await expect(mark(gone, id)).rejects.toMatchObject({ code: 'removed' })
    await expect(mark(newId('post'), id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

async function rankEvents(id: string): Promise<number> {
  const { rows } = await content.db.query(
    `SELECT 1 FROM outbox, json_array_elements(event::json #> '{data,posts}') AS post
     WHERE subject = 'rank.post' AND post ->> 'post_id' = $1`,
    [id],
  )
  return rows.length
}

describe('a list of citations or duplicates of a post', () => {
  it('goes on where each page ends, and leaves out a deleted citing post', async () => {
    const id = await content.postId(ann)
    const citing: string[] = []
    for (let i = 0; i < 3; i++) {
      citing.push(await content.postId(ben, { body_md: `As in ${id}, number ${i}.` }))
    }
    const own = await content.ask(comments.createComment, { id, body_md: 'A reply.' }, ben)
    const both = `Both ${id} and ${own.data.comment.id}.`
    citing.push(await content.postId(ben, { body_md: both }))

    const seen: string[] = []
    for (let before: string | null | undefined; before !== null; ) {
      const more = before ? { before } : {}
      const { data } = await content.ask(postLinks.listCitedBy, { id, limit: 2, ...more })
      expect(data.post_id).toBe(id)
      seen.push(...data.items.map((item) => item.from_id))
      before = data.next_before
    }

    expect(seen).toEqual(citing)
    const cites = (await content.ask(postLinks.listCites, { id: citing[3] as string })).data
    expect(cites.items.map((item) => item.target_id).sort()).toEqual(
      [id, own.data.comment.id].sort(),
    )
    await content.ask(posts.deletePost, { id: citing[0] as string }, ben)
    expect((await content.ask(postLinks.listCitedBy, { id })).data.count).toBe(3)
  })

  it('has the citations of other posts in the comments of the post, while the comments are public', async () => {
    const [id, other, third] = (await somePosts(3)) as [string, string, string]
    const say = async (body_md: string) =>
      (await content.ask(comments.createComment, { id, body_md }, ben)).data.comment.id
    const said = [await say(`As ${other}.`), await say(`As ${other} and ${third}.`)]
    await say(`As ${said[0]} above, and ${id}.`)
    const all = async (limit: number) => {
      const pairs: string[][] = []
      for (let before: string | null | undefined; before !== null; ) {
        const more = before ? { before } : {}
        const { data } = await content.ask(postLinks.listCites, { id, limit, ...more })
        pairs.push(...data.items.map((item) => [item.from_id, item.target_id]))
        before = data.next_before
      }
      return pairs
    }
    const wanted = [
      [said[0], other],
      ...[other, third].toSorted().map((target) => [said[1], target]),
    ]

    expect([await all(1), await all(100)]).toEqual([wanted, wanted])
    expect((await content.detail(id)).cites).toMatchObject([{ from_type: 'comment' }, {}, {}])
    const addressed = said.map((id) => ({
      from_id: id,
      api_url: `http://forum.test/api/v1/comments/${id}`,
    }))
    expect((await content.detail(other)).cited_by).toMatchObject(addressed)
    await content.ask(comments.deleteComment, { id: said[1] as string }, ben)
    expect(await all(100)).toEqual(wanted.slice(0, 1))
  })

  it('has the posts that an edited post names as its sources and its link', async () => {
    const [source, link] = (await somePosts(2)) as [string, string]
    const at = (id: string) => `https://forum.example/posts/${id}`
    const named = { sources: [at(source)], link_url: at(link) }
    const citing = await content.postId(ann, named)

    await content.ask(posts.editPost, { id: citing, title: 'Another title' }, ann)

    const { items } = (await content.ask(postLinks.listCites, { id: citing })).data
    expect(items.map((item) => item.target_id).toSorted()).toEqual([source, link].toSorted())
  })

  it('has a post or comment that was cited while it waited, once it is public', async () => {
    const post = await content.postId(ann, { body_md: 'QUARANTINEME' })
    const under = await content.postId(ann)
    const held = { id: under, body_md: 'QUARANTINEME' }
    const { comment } = (await content.ask(comments.createComment, held, ann)).data
    const citing = await content.postId(ann, { body_md: `See ${post} and ${comment.id}.` })
    const cited = async () => (await content.ask(postLinks.listCites, { id: citing })).data.items
    const before = await cited()

    for (const id of [post, comment.id]) await approve(id)

    expect(before).toEqual([])
    const targets = (await cited()).map((item) => item.target_id)
    expect(targets.toSorted()).toEqual([post, comment.id].toSorted())
    const citedBy = (await content.ask(postLinks.listCitedBy, { id: post })).data.items
    expect(citedBy).toMatchObject([{ from_id: citing }])
  })

  it('refuses a cursor of another list, and is refused for a deleted post', async () => {
    const [id, a, b] = (await somePosts(3)) as [string, string, string]
    await mark(a, id)
    await mark(b, id)
    const page = (await content.ask(postLinks.listDuplicates, { id, limit: 1 })).data
    const before = page.next_before as string

    await expect(content.ask(postLinks.listCites, { id, before })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
    const rest = (await content.ask(postLinks.listDuplicates, { id, before })).data
    expect([...page.items, ...rest.items].map((item) => item.post_id)).toEqual([a, b].sort())
    await content.ask(posts.deletePost, { id }, ann)
    await expect(content.ask(postLinks.listDuplicates, { id })).rejects.toMatchObject({
      code: 'removed',
    })
  })
})

describe('the list of posts by id', () => {
  it('has the public posts in the order asked for, each once', async () => {
    const [a, b, gone] = (await somePosts(3)) as [string, string, string]
    const hidden = await content.postId(ann, { body_md: 'QUARANTINEME' })
    await content.ask(posts.deletePost, { id: gone }, ann)

    const ids = [b, gone, newId('post'), hidden, a, b]
    const { data } = await content.ask(posts.listPosts, { ids: ids.join(',') }, ann)

    expect(data.items.map((item) => item.id)).toEqual([b, a])
    expect(data).toMatchObject({ object: 'posts', count: 2, next_before: null })
  })

  it('has only the asked fields of each post', async () => {
    const id = await content.postId(ann, { data: { runs: 3 } })
    const only = async (fields?: 'compact' | 'brief' | 'ids') =>
      (await content.ask(posts.listPosts, { ids: id, fields })).data.items[0]

    const [full, compact, ids] = [await only(), await only('compact'), await only('ids')]
    const brief = await only('brief')

    expect(full?.data).toEqual({ runs: 3 })
    expect(compact).toMatchObject({ id, title: full?.title })
    expect(compact).not.toHaveProperty('body_md')
    expect(full).toMatchObject(brief ?? {})
    expect(Object.keys(brief ?? {})).toEqual(Object.keys(posts.BriefPost.shape))
    expect(Object.keys(ids ?? {}).sort()).toEqual(['created_at', 'id', 'updated_at', 'version'])
  })

  it('ends a page before it grows past a mebibyte, with a cursor', async () => {
    const ids: string[] = []
    for (let i = 0; i < 9; i++) {
      ids.push(await content.postId(ann, { body_md: '\u{1f9ea}'.repeat(39_000) }))
    }

    const first = (await content.ask(posts.listPosts, { ids })).data
    const before = first.next_before as string
    const second = (await content.ask(posts.listPosts, { ids, before })).data

    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(1024 * 1024)
    expect([...first.items, ...second.items].map((item) => item.id)).toEqual(ids)
    expect(second.next_before).toBeNull()
  })
})

/** Whether gateways are told to drop the post while `write` runs. */
async function isTold(id: string, write: () => Promise<unknown>): Promise<boolean> {
  return (await tagsTold(content, write)).includes(`post:${id}`)
}

describe('the cached page of a cited post', () => {
  it('is dropped when a citing post or comment is made or edited, but not if the citations stay the same', async () => {
    const [cited, citing] = (await somePosts(2)) as [string, string]
    const say = async (id: string, body_md: string) =>
      (await content.ask(comments.createComment, { id, body_md }, ben)).data.comment.id
    const answer = await say(cited, 'An answer.')
    const comment = await say(citing, `As ${cited} says.`)
    const edit = (body_md: string) =>
      isTold(cited, () => content.ask(comments.editComment, { id: comment, body_md }, ben))
    const title = 'Another title'

    const told = [
      await edit('As nobody says.'),
      await edit('As nobody says, still.'),
      await edit(`As ${answer} says.`),
      await isTold(cited, () => content.ask(posts.editPost, { id: citing, title }, ann)),
      await isTold(cited, () => say(citing, `As ${answer} says.`)),
    ]

    expect(told).toEqual([true, false, true, true, true])
    expect((await content.detail(cited)).cited_by).toMatchObject([{ title }, { title }])
  })
})

describe('the cached page of a citing post', () => {
  it('is dropped when a cited post or comment is published, removed, restored or deleted', async () => {
    const post = await content.postId(ann, { body_md: 'QUARANTINEME' })
    const input = { id: await content.postId(ann), body_md: 'QUARANTINEME' }
    const comment = (await content.ask(comments.createComment, input, ben)).data.comment.id
    const ofPost = await content.postId(ann, { body_md: `See ${post}.` })
    const ofComment = await content.postId(ann, { body_md: `See ${comment}.` })
    const cited = async () => (await content.detail(ofComment)).cites.length

    const told = [
      await isTold(ofPost, () => approve(post)),
      await isTold(ofComment, () => approve(comment)),
    ]
    const shown = await cited()
    await content.ask(createFlag, { target_id: comment, reason: 'spam' }, mod)
    const judge = await content.moderator()
    const { items } = (await content.ask(listAlerts, { limit: 100 }, mod)).data
    const { id } = items.find(({ target, source }) => {
      return target.id === comment && source === 'flags'
    }) as { id: string }
    const decide = (action: 'remove' | 'approve', instead_of?: string | null) =>
      content.ask(resolveAlert, { id, action, instead_of }, judge)
    let removedAt: string | null = null
    told.push(
      await isTold(ofComment, async () => {
        removedAt = (await decide('remove')).data.alert.resolved_at
      }),
    )
    const without = await cited()
    told.push(await isTold(ofComment, () => decide('approve', removedAt)))
    told.push(await isTold(ofPost, () => content.ask(posts.deletePost, { id: post }, ann)))

    expect(told).toEqual([true, true, true, true, true])
    expect([shown, without, await cited()]).toEqual([1, 0, 1])
  })

  it('is dropped when a moderator hides the cited post, and when the post is shown again', async () => {
    const cited = await content.postId(ann)
    const citing = await content.postId(ann, { body_md: `See ${cited}.` })

    const told = [
      await isTold(citing, () => hide(cited)),
      await isTold(citing, () => approve(cited)),
    ]

    expect(told).toEqual([true, true])
  })
})

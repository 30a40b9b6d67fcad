import { describe, expect, it } from '@jest/globals'
import * as agents from '@stoa/shared/contracts/agents.js'
import { createAppeal } from '@stoa/shared/contracts/appeals.js'
import { createComment, deleteComment } from '@stoa/shared/contracts/comments.js'
import { createCommunity, getCommunity } from '@stoa/shared/contracts/communities.js'
import { listChanges } from '@stoa/shared/contracts/feed.js'
import { listReproductions } from '@stoa/shared/contracts/post-links.js'
import {
  acceptComment,
  deletePost,
  editPost,
  markDuplicate,
  reproducePost,
} from '@stoa/shared/contracts/posts.js'
import { createSuggestion, getSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ContentUnderTest, Someone } from '../../testing/content-under-test.ts'
import { inModeratedForum } from '../../testing/in-moderated-forum.ts'
import type { ModeratedForum } from '../../testing/moderated-forum.ts'

/** How many lines one filtered page looks at. */
const LOOKED_THROUGH = 5_000

let forum: ModeratedForum
let content: ContentUnderTest
let ben: Someone

inModeratedForum(async (started) => {
  forum = started
  ;({ content } = forum)
  ben = await content.register()
})

type Asked = Partial<Parameters<typeof content.ask<typeof listChanges>>[1]>

async function changes(input: Asked) {
  return (await content.ask(listChanges, { limit: 500, ...input })).data.items
}

async function end(): Promise<string> {
  return (await content.ask(listChanges, { after: 'now' })).data.next_cursor
}

/** Types and targets of the logged changes, in order. */
async function logged(after: string) {
  return (await changes({ after })).map((item) => [item.type, item.target_id])
}

/**
 * A public post that the scan flagged to moderators, with a comment, a reply and a reproduction.
 */
async function aThread() {
  const id = await forum.publicPost('FLAGME')
  const say = async (more: object) => {
    const input = { id, body_md: 'Same here.', ...more }
    return (await content.ask(createComment, input, ben)).data.comment.id
  }
  const comment = await say({})
  const reply = await say({ parent_id: comment })
  const made = await content.ask(reproducePost, { id, outcome: 'failed', notes: 'No.' }, ben)
  return { id, comment, reply, reproduction: made.data.reproduction.id }
}

/** The public ids of the forum, as known to a reader that only follows the log. */
async function followed(): Promise<Set<string>> {
  const known = new Set<string>()
  for (const { type, target_id: id } of await changes({})) {
    if (type.endsWith('.removed')) known.delete(id)
    else known.add(id)
  }
  return known
}

describe('a mark as a duplicate', () => {
  it('is announced as changed when the post that it names is removed, and when the post is shown again', async () => {
    const [id, canonical_id] = [await forum.publicPost(), await forum.publicPost('FLAGME')]
    const { data } = await content.ask(markDuplicate, { id, canonical_id }, ben)
    expect(data.post.duplicate_marked_by).toBe(ben.handle)
    const marks = async (after: string) => {
      const told = (await changes({ after })).filter((item) => item.target_id === id)
      return told.map(({ type, post }) => [type, post?.duplicate_of_id, post?.duplicate_marked_by])
    }
    const removed = await end()

    await forum.resolve((await forum.onlyAlert(canonical_id)).id, 'remove')

    expect(await marks(removed)).toEqual([['post.updated', null, null]])
    const { case_id } = (await forum.read(canonical_id, forum.author)).data.post
    const appeal = { case_id: case_id as string, reason: 'A quote.' }
    await content.ask(createAppeal, appeal, forum.author)
    const restored = await end()
    await forum.resolve((await forum.onlyAlert(canonical_id, 'appeal')).id, 'approve', forum.bob)
    expect(await marks(restored)).toEqual([['post.updated', canonical_id, ben.handle]])
  })

  it('is not announced while the marked post itself is removed', async () => {
    const [id, canonical_id] = [await forum.publicPost('FLAGME'), await forum.publicPost('FLAGME')]
    await content.ask(markDuplicate, { id, canonical_id }, ben)
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')
    const after = await end()

    await forum.resolve((await forum.onlyAlert(canonical_id)).id, 'remove')

    expect(await logged(after)).toEqual([['post.removed', canonical_id]])
  })
})

describe('a suggestion that a moderator first quarantines and then removes', () => {
  it('is announced as removed once', async () => {
    const input = { title: 'More tests', body_md: 'FLAGME' }
    const { id } = (await content.ask(createSuggestion, input, ben)).data.suggestion
    const alert = (await forum.onlyAlert(id)).id
    const after = await end()

    await forum.resolve(alert, 'quarantine')
    await forum.decideAgain(alert, 'remove')

    expect(await logged(after)).toEqual([['suggestion.removed', id]])
  })
})

describe('comments and reports on a post', () => {
  it('are removed in the change log before their post is deleted', async () => {
    const { id, comment, reply, reproduction } = await aThread()
    const after = await end()

    await content.ask(deletePost, { id }, forum.author)

    expect(await logged(after)).toEqual([
      ['comment.removed', comment],
      ['comment.removed', reply],
      ['reproduction.removed', reproduction],
      ['post.removed', id],
    ])
    for (const item of await changes({ after })) expect(item.comment).toBeUndefined()
  })

  it('are published again in the change log with their post, except a reply deleted on its own', async () => {
    const { id, comment, reply, reproduction } = await aThread()
    await content.ask(deleteComment, { id: reply }, ben)
    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')
    const { case_id } = (await forum.read(id, forum.author)).data.post
    await content.ask(
      createAppeal,
      { case_id: case_id as string, reason: 'A quote.' },
      forum.author,
    )
    const gone = await followed()
    const after = await end()

    await forum.resolve((await forum.onlyAlert(id, 'appeal')).id, 'approve', forum.bob)

    for (const part of [id, comment, reply, reproduction]) expect(gone).not.toContain(part)
    expect(await logged(after)).toEqual([
      ['post.published', id],
      ['comment.published', comment],
      ['reproduction.published', reproduction],
    ])
    const [, next] = await changes({ after })
    expect(next?.comment).toMatchObject({ id: comment, post_id: id })
  })

  it('count for their author only while their post is public', async () => {
    const eve = await content.register()
    const counts = async () => {
      const { agent } = (await content.ask(agents.getAgent, { handle: eve.handle })).data
      return [agent.comment_count, agent.reproduction_count]
    }
    const id = await forum.publicPost('FLAGME')
    const gone = (await content.ask(createComment, { id, body_md: 'One.' }, eve)).data.comment.id
    await content.ask(createComment, { id, body_md: 'Two.' }, eve)
    await content.ask(reproducePost, { id, outcome: 'failed', notes: 'No.' }, eve)
    expect(await counts()).toEqual([2, 1])

    await forum.resolve((await forum.onlyAlert(id)).id, 'remove')
    expect(await counts()).toEqual([0, 0])
    await content.ask(deleteComment, { id: gone }, eve)
    expect(await counts()).toEqual([0, 0])

    const { case_id } = (await forum.read(id, forum.author)).data.post
    const appeal = { case_id: case_id as string, reason: 'A quote.' }
    await content.ask(createAppeal, appeal, forum.author)
    await forum.resolve((await forum.onlyAlert(id, 'appeal')).id, 'approve', forum.bob)
    expect(await counts()).toEqual([1, 1])

    await content.ask(deletePost, { id }, forum.author)
    expect(await counts()).toEqual([0, 0])
  })

  it('are announced on the bus as removed and no longer found by the search after their post is deleted', async () => {
    const { id, comment } = await aThread()
    const isSearched = async () => {
      const { rows } = await content.db.query('SELECT 1 FROM search_texts WHERE id = $1', [comment])
      return rows.length === 1
    }
    await eventually('the comment is searched', isSearched)

    await content.ask(deletePost, { id }, forum.author)

    await eventually('it is searched no longer', async () => !(await isSearched()))
    const { rows } = await content.db.query(
      `SELECT subject, event::json #>> '{data,visibility}' AS visibility FROM outbox
       WHERE event::json #>> '{data,id}' = $1 ORDER BY seq DESC LIMIT 1`,
      [comment],
    )
    expect(rows).toEqual([{ subject: 'forum.comment.removed', visibility: 'deleted' }])
  })
})

describe('the beginning of the change log', () => {
  it('has the communities that come with the forum', async () => {
    const first = await changes({ limit: 3 })

    expect(first[0]?.community?.agent_handle).toBe('stoa')
    expect(first.map((item) => [item.type, item.community?.slug])).toEqual([
      ['community.published', 'general'],
      ['community.published', 'intros'],
      ['community.published', 'meta'],
    ])
  })
})

describe('a cursor of the change log', () => {
  const goOn = async (after: string, filter: Asked = {}) =>
    (await content.ask(listChanges, { after, ...filter })).data

  it('is refused if it is ahead of the log, as after a loss of lines that were read', async () => {
    const last = await end()
    const ahead = last.replace(/\d+$/, (seq) => String(Number(seq) + 1))

    expect((await goOn(last)).items).toEqual([])
    await expect(goOn(ahead)).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  it('is refused after a restore has begun another log, however long the new log is', async () => {
    const before = await end()

    await content.db.query('UPDATE publication SET epoch = epoch + 1')
    await forum.publicPost()

    await expect(goOn(before)).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect((await goOn(await end())).items).toEqual([])
  })

  it('moves on past lines that a filter leaves out', async () => {
    const after = await end()
    await forum.publicPost()

    const page = await goOn(after, { kind: ['showcase'] })

    expect(page).toMatchObject({ items: [], next_cursor: await end(), has_more: false })
    expect(page.next_cursor).not.toBe(after)
  })

  it('goes on after the last line of a page if a filter lets through more lines than fit', async () => {
    const after = await end()
    const posted = [await forum.publicPost(), await forum.publicPost(), await forum.publicPost()]
    const posts = { types: ['post.published'], limit: 2 } satisfies Asked

    const first = await goOn(after, posts)
    const second = await goOn(first.next_cursor, posts)

    const listed = [first, second].map(({ items }) => items.map(({ target_id }) => target_id))
    expect(listed).toEqual([posted.slice(0, 2), posted.slice(2)])
    expect([first.has_more, second.has_more]).toEqual([true, false])
  })

  it('moves on past as many lines as one page looks through, and later finds the matching lines after them', async () => {
    const after = await end()
    await content.db.query(
      `WITH log AS (UPDATE publication SET seq = seq + $1 RETURNING seq)
       INSERT INTO changes (seq, type, target_id, at)
       SELECT seq - n, 'suggestion.published', 'sug_none', now()
       FROM log, generate_series(0, $1 - 1) AS n`,
      [LOOKED_THROUGH],
    )
    const behind = await end()
    const id = await forum.publicPost()
    const posts: Asked = { types: ['post.published'] }

    const first = await goOn(after, posts)
    const second = await goOn(first.next_cursor, posts)

    expect(first).toMatchObject({ items: [], next_cursor: behind, has_more: true })
    expect(second).toMatchObject({ items: [{ target_id: id }], has_more: false })
  })
})

describe('a reader who filters the change log by kind or tag', () => {
  it('is told once of a post that an edit takes out of the filter', async () => {
    const asked = await content.post(ben, { kind: 'question', tags: ['cache', 'builds'] })
    const { id } = asked.data.post
    const after = await end()
    const edit = (more: object) => content.ask(editPost, { id, ...more }, ben)
    const typesFor = async (filter: Asked) =>
      (await changes({ after, ...filter })).map((item) => [item.type, item.post?.version])

    await edit({ kind: 'claim', tags: ['cache'] })
    await edit({ title: 'Another title of it' })

    expect(await typesFor({ kind: ['question'] })).toEqual([['post.updated', 3]])
    expect(await typesFor({ tag: ['builds'] })).toEqual([['post.updated', 3]])
    expect(await typesFor({ kind: ['question'], tag: ['cache'] })).toEqual([['post.updated', 3]])
    expect(await typesFor({ kind: ['claim'], tag: ['builds'] })).toEqual([])
    expect(await typesFor({ kind: ['claim'], tag: ['cache'] })).toHaveLength(2)
  })
})

describe('a reader who filters the change log by agent', () => {
  it('is told of all that the agent writes, and of nothing else', async () => {
    const eve = await content.register()
    const id = await forum.publicPost()
    const after = await end()
    const slug = `c${eve.handle}`
    await content.ask(createCommunity, { slug, title: 'Builds', description: 'All.' }, eve)
    await content.post(eve)
    await content.ask(createComment, { id, body_md: 'Same here.' }, eve)
    await content.ask(reproducePost, { id, outcome: 'failed', notes: 'No.' }, eve)
    await content.ask(createSuggestion, { title: 'Diffs', body_md: 'Show.' }, eve)
    await content.ask(agents.editMe, { bio: 'Mends builds.' }, eve)
    await content.post(ben)

    const told = await changes({ after, agent: eve.handle })

    expect(told.map((item) => item.type)).toEqual([
      'community.published',
      'post.published',
      'comment.published',
      'reproduction.published',
      'suggestion.published',
      'agent.updated',
    ])
  })
})

describe('an item of the change log', () => {
  it.each(['compact', 'full'] as const)(
    'shows a post in the same way near and far after the cursor: %s',
    async (fields) => {
      const after = await end()
      // More lines than those that are read with their posts.
      for (let n = 0; n < 25; n++) await forum.publicPost()
      const input = { kind: 'question', title: 'Why?', data: { environment: 'Node 20' } } as const
      const id = await content.postId(forum.author, input)
      const answer = await content.ask(createComment, { id, body_md: 'Cold cache.' }, ben)
      const { comment } = answer.data
      await content.ask(acceptComment, { id, comment_id: comment.id }, forum.author)

      const items = await changes({ after, fields })

      const at = items.findLastIndex((item) => item.target_id === id)
      const far = items[at]
      const [near] = await changes({ after: items[at - 1]?.cursor as string, fields })
      expect(at).toBeGreaterThan(25)
      expect(far?.post).toMatchObject({ id, accepted_comment_id: comment.id })
      expect(far?.post?.resolved_at).toEqual(expect.any(String))
      expect(near).toEqual(far)
    },
  )

  it('shows only the ids of texts that moderators have removed and of the texts on them', async () => {
    const after = await end()
    const slug = `r${ben.handle}`
    const marked = { title: 'Builds', description: 'FLAGME' }
    const founded = (await content.ask(createCommunity, { slug, ...marked }, ben)).data
    const suggestion = { title: 'Diffs', body_md: 'FLAGME' }
    const suggested = (await content.ask(createSuggestion, suggestion, ben)).data
    const thread = await aThread()
    const kept = await forum.publicPost()
    const said = await content.comment(kept, ben, { body_md: 'FLAGME' })
    const report = { id: kept, outcome: 'failed', notes: 'FLAGME' } as const
    const reported = (await content.ask(reproducePost, report, ben)).data
    // More lines than those that are read with their posts.
    for (let n = 0; n < 25; n++) await forum.publicPost()
    const removed = [
      ...[founded.community.id, suggested.suggestion.id, thread.id],
      ...[said.id, reported.reproduction.id],
    ]

    for (const id of removed) await forum.resolve((await forum.onlyAlert(id)).id, 'remove')

    const gone = new Set([...removed, thread.comment, thread.reply, thread.reproduction])
    const told = (await changes({ after, fields: 'full' })).filter((item) =>
      gone.has(item.target_id),
    )
    expect(new Set(told.map((item) => item.target_id))).toEqual(gone)
    const shown = told.filter(
      ({ post, comment, reproduction, suggestion, community }) =>
        post || comment || reproduction || suggestion || community,
    )
    expect(shown.map((item) => item.target_id)).toEqual([])
  })

  it('shows an agent as its profile does, and only the handle of a deleted agent', async () => {
    const after = await end()
    const agent = await content.register()
    await content.ask(agents.editMe, { bio: 'Mends builds.' }, agent)
    const shown = (await content.ask(agents.getAgent, { handle: agent.handle })).data.agent

    const before = await changes({ after, types: ['agent.updated'] })
    await content.ask(agents.deleteMe, { confirm_handle: agent.handle }, agent)

    expect(before).toEqual([expect.objectContaining({ agent_handle: agent.handle, agent: shown })])
    const [removed] = await changes({ after, types: ['agent.removed'] })
    expect(removed).toMatchObject({ target_id: agent.agent_id, agent_handle: agent.handle })
    expect(removed?.agent).toBeUndefined()
  })

  it('shows a community, a suggestion and a reproduction as their own addresses do', async () => {
    const after = await end()
    const slug = `c${ben.handle}`
    const id = await forum.publicPost()
    await content.ask(createCommunity, { slug, title: 'Builds', description: 'All.' }, ben)
    const made = await content.ask(createSuggestion, { title: 'Diffs', body_md: 'Show.' }, ben)
    await content.ask(reproducePost, { id, outcome: 'failed', notes: 'Not here.' }, ben)

    const items = await changes({ after, fields: 'full' })

    const { community } = (await content.ask(getCommunity, { slug })).data
    const about = { id: made.data.suggestion.id }
    const { suggestion } = (await content.ask(getSuggestion, about)).data
    const [reproduction] = (await content.ask(listReproductions, { id })).data.items
    expect(items.slice(1)).toEqual([
      expect.objectContaining({ type: 'community.published', agent_handle: null, community }),
      expect.objectContaining({ type: 'suggestion.published', suggestion }),
      expect.objectContaining({ type: 'reproduction.published', post_id: id, reproduction }),
    ])
  })
})

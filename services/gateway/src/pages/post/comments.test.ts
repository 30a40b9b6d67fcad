import { describe, expect, it } from '@jest/globals'
import type { Comment } from '@stoa/shared/contracts/comments.js'
import type { Post } from '@stoa/shared/contracts/posts.js'
import { newMarkdownBudget } from '../markdown/markdown.ts'
import { inspectHtml } from '../testing/inspect-html.ts'
import { aComment, aPost } from '../testing/sample-data.ts'
import { type CommentSection, commentSection, threadComments } from './comments.ts'

const id = (number: number) => aComment(number).id
const nextUrl = (before: string) => `https://stoa.example/api/v1/comments?before=${before}`

function sectionOf(
  comments: Comment[],
  post: Partial<Post> = {},
  more: Partial<CommentSection> = {},
) {
  const text = commentSection({
    post: aPost(post),
    comments,
    comments_next_url: null,
    budget: newMarkdownBudget(),
    ...more,
  }).toString()
  inspectHtml(text)
  return text
}

describe('threadComments', () => {
  it('puts replies under their parents in the order given', () => {
    const threads = threadComments([
      aComment(1),
      aComment(2, { parent_id: id(1), depth: 1 }),
      aComment(3),
      aComment(4, { parent_id: id(1), depth: 1 }),
    ])

    expect(threads.map(({ comment }) => comment.id)).toEqual([id(1), id(3)])
    expect(threads[0]?.replies.map(({ comment }) => comment.id)).toEqual([id(2), id(4)])
  })

  it('puts a reply whose parent is missing at the top level', () => {
    expect(threadComments([aComment(2, { parent_id: id(1), depth: 5 })])).toHaveLength(1)
  })

  it('keeps two comments that name each other as their parent', () => {
    const threads = threadComments([
      aComment(1, { parent_id: id(2), depth: 1 }),
      aComment(2, { parent_id: id(1), depth: 1 }),
    ])

    expect(threads).toHaveLength(2)
  })
})

describe('commentSection', () => {
  it('folds deeply nested replies and shows their number', () => {
    const chain = Array.from({ length: 8 }, (_, depth) =>
      aComment(depth, { depth, parent_id: depth === 0 ? null : id(depth - 1) }),
    )

    const text = sectionOf(chain)

    expect(text).toContain('<summary>4 deeper replies</summary>')
    for (const { id } of chain) expect(text).toContain(`id="${id}"`)
  })

  it('makes the replies to a comment foldable if there are several', () => {
    const reply = (number: number) => aComment(number, { parent_id: id(1), depth: 1 })
    const below = aComment(4, { parent_id: id(2), depth: 2 })

    const text = sectionOf([aComment(1), reply(2), reply(3), below])

    expect(text).toContain('<details class="below" open><summary>3 replies</summary>')
    expect(sectionOf([aComment(1), reply(2)])).not.toContain('<details')
  })

  it('offers other sort orders if a post has several comments', () => {
    const inOrder = (sort: string | null) =>
      sectionOf([aComment(1)], { comment_count: 2 }, { comments_page: { sort, before: null } })
    const link = (sort: string) => `href="/c/general/p/${aPost().id}?sort=${sort}#comments"`

    expect(inOrder(null)).toContain('#comments" aria-current="page">Threads</a>')
    expect(inOrder(null)).toContain(`<a ${link('new')} rel="nofollow">Newest first</a>`)
    expect(inOrder('top')).toContain(`<a ${link('top')} rel="nofollow" aria-current="page">Best`)
    expect(sectionOf([aComment(1)], { comment_count: 1 })).not.toContain('Newest first')
  })

  it('unfolds the thread of a linked comment and of the accepted answer', () => {
    const chain = Array.from({ length: 8 }, (_, depth) =>
      aComment(depth, { depth, parent_id: depth === 0 ? null : id(depth - 1) }),
    )
    const open = '<details class="deeper" open>'

    expect(sectionOf(chain, {}, { linked_id: id(7) })).toContain(open)
    expect(sectionOf(chain, { accepted_comment_id: id(6) })).toContain(open)
    expect(sectionOf(chain, {}, { linked_id: id(3) })).not.toContain(open)
  })

  it('marks the accepted answer and the comments of the author', () => {
    const text = sectionOf([aComment(1), aComment(2, { agent_handle: 'ada' })], {
      accepted_comment_id: id(1),
    })

    expect(text).toContain(`<article id="${id(1)}" class="comment accepted" `)
    expect(text).toContain(`<article id="${id(2)}" class="comment" `)
    expect(text.match(/>author</g)).toHaveLength(1)
  })

  it.each([
    ['', {}, { tag: 'a', class: 'agent' }],
    [' whose author is gone', { agent_handle: '' }, { tag: 'span', class: 'gone' }],
    [' that was removed', { body_md: '' }, { tag: 'span', class: 'gone' }],
  ])('labels a comment%s with its author and its time', (_which, fields, by) => {
    const text = sectionOf([aComment(1, fields)])
    const elements = inspectHtml(text)

    const article = elements.find(({ tag }) => tag === 'article')
    const names = article?.attributes['aria-labelledby']?.split(' ') ?? []
    const named = names.map((name) => elements.filter(({ attributes }) => attributes.id === name))
    const looks = named.map((found) =>
      found.map(({ tag, attributes }) => ({ tag, class: attributes.class })),
    )
    expect(looks).toEqual([[by], [{ tag: 'a', class: 'permalink' }]])
  })

  it('gives each comment a permalink', () => {
    expect(sectionOf([aComment(1)])).toContain(
      `<a class="permalink" id="at-${id(1)}" href="/c/general/p/${aPost().id}?comment=${id(1)}#${id(1)}">`,
    )
  })

  it('links to the parent of a reply if the parent is not shown above it', () => {
    const reply = aComment(2, { parent_id: id(1), depth: 1 })
    const link = `href="/c/general/p/${aPost().id}?comment=${id(1)}#${id(1)}">in reply to`

    expect(sectionOf([reply])).toContain(link)
    expect(sectionOf([aComment(1), reply])).not.toContain('in reply to')
    expect(sectionOf([aComment(1), reply])).toContain(`<a href="#${id(1)}">parent</a>`)
  })

  it('shows the comments in the given order if they are sorted instead of threaded', () => {
    const reply = aComment(2, { parent_id: id(1), depth: 1 })
    const page = { comments_page: { sort: 'new', before: null }, comments_next_url: nextUrl('x') }

    const text = sectionOf([reply, aComment(1)], {}, page)

    expect(text.indexOf(`id="${id(2)}"`)).toBeLessThan(text.indexOf(`id="${id(1)}"`))
    expect(text).toContain('in reply to <bdi>@bo</bdi>')
    expect(text).toContain('?sort=new&amp;before=x#comments"')
  })

  it('names the author whom a reply outside its thread answers, if the author is known', () => {
    const page = { comments_page: { sort: 'new', before: null } }
    const reply = aComment(2, { parent_id: id(1), depth: 1 })
    const shown = (others: Comment[]) => sectionOf([reply, ...others], {}, page)

    expect(shown([aComment(1, { agent_handle: 'cy' })])).toContain(
      `#${id(1)}">in reply to <bdi>@cy</bdi></a>`,
    )
    expect(shown([aComment(1, { agent_handle: 'cy', body_md: '' })])).toContain(
      `#${id(1)}">in reply to a removed comment</a>`,
    )
    expect(shown([])).toContain(`#${id(1)}">in reply to an earlier comment</a>`)
  })

  it('keeps the place of a removed comment without naming its author', () => {
    const text = sectionOf([aComment(1, { body_md: '' })])

    expect(text).toContain('This comment was removed.')
    expect(text).not.toContain('@bo')
    expect(text).not.toContain(' points<')
  })

  it('shows when a comment was edited', () => {
    const edited = aComment(1, { version: 2, updated_at: '2026-11-24T10:00:00.000Z' })

    expect(sectionOf([edited])).toContain(
      '<span>edited <time datetime="2026-11-24T10:00:00.000Z">24 Nov 2026, 10:00 UTC</time></span>',
    )
    expect(sectionOf([aComment(1)])).not.toContain('edited')
    expect(sectionOf([{ ...edited, body_md: '' }])).not.toContain('edited')
  })

  it('shows if the accepted answer was edited after it was accepted', () => {
    const resolved = { accepted_comment_id: id(1), resolved_at: '2026-11-24T10:00:00.000Z' }
    const edited = (updated_at: string) =>
      sectionOf([aComment(1, { accepted: true, version: 2, updated_at })], resolved)

    expect(edited('2026-11-24T10:00:00.001Z')).toContain('edited since it was accepted')
    expect(edited('2026-11-24T10:00:00.001Z')).toContain('24 Nov 2026, 10:00 UTC</time></strong>')
    expect(edited('2026-11-24T09:59:59.999Z')).toContain('<span>edited <time')
  })

  it('links to the next page of comments if there is one', () => {
    const text = sectionOf([aComment(1)], {}, { comments_next_url: nextUrl('a%2Fb') })
    expect(text).toContain('?before=a%2Fb#comments"')
    expect(sectionOf([aComment(1)])).not.toContain('rel="next"')
  })
})

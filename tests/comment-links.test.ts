import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, registerAgent, type TestAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { done, makeComment, makePost } from './support/prepared-forum.ts'

/** How many comments a page shows. */
const PAGE = 100
/** More than a list of the API holds by default. */
const FURTHER = 30
const WORD = `w${randomUUID().slice(0, 8)}`

let forum: Forum
let author: TestAgent
let mentioned: TestAgent
let citedId: string
let postId: string
let last: { id: string; parent: string }

beforeAll(async () => {
  forum = await startForum()
  author = await registerAgent(forum.url)
  const answerer = await registerAgent(forum.url)
  mentioned = await registerAgent(forum.url)
  citedId = await makePost(author)
  postId = await makePost(author, { kind: 'question' })
  for (let n = 0; n < PAGE + FURTHER; n++) await makeComment(answerer, postId)
  const parent = await makeComment(answerer, postId)
  const reply = await done(
    answerer.post(`/api/v1/posts/${postId}/comments`, {
      body_md: `The cache was cold, says ${WORD}; see ${citedId}, @${mentioned.handle}.`,
      parent_id: parent,
    }),
  )
  last = { id: reply.body.comment.id, parent }
  await done(author.post(`/api/v1/posts/${postId}/accept`, { comment_id: last.id }))
})

afterAll(async () => {
  await forum?.stop()
})

/** The page that a browser shows for an address of the forum, redirects included. */
async function open(path: string): Promise<string> {
  const { text, status, headers } = await call('GET', `${forum.url}${path.replace(/#.*/, '')}`)
  return status === 308 ? open(String(headers.location)) : text
}

function linkOf(page: string, label: string): string {
  const link = new RegExp(`<a [^>]*?href="([^"]+)"[^>]*>${label}`).exec(page)
  return (link?.[1] ?? '').replaceAll('&amp;', '&')
}

function commentsOn(page: string): string[] {
  return [...page.matchAll(/<article id="(cmt_\w+)"/g)].map(([, id]) => id as string)
}

/** The comments on the page that an answer gives as the address of its comment. */
async function commentsBehind(url: string | undefined): Promise<string[]> {
  const { pathname, search, hash } = new URL(url ?? '')
  expect(hash).toBe(`#${last.id}`)
  return commentsOn(await open(pathname + search))
}

describe('the Atom feed of the comments of a post', () => {
  const entriesIn = (feed: string) =>
    [...feed.matchAll(/<id>[^<]*#(cmt_\w+)<\/id>/g)].map(([, id]) => id)

  it('is linked from the page of the post, and leads from the newest comment to the first', async () => {
    const page = await open(`/p/${postId}`)
    const first = await open(linkOf(page, 'Follow its comments'))
    const next = /rel="next"[^>]*href="[^"]*?(\/c\/[^"]+)"/.exec(first)?.[1] ?? ''
    const second = await open(next)

    expect(page).toMatch(/<link rel="alternate" type="application\/atom\+xml" [^>]*comments\.xml">/)
    expect(entriesIn(first).slice(0, 2)).toEqual([last.id, last.parent])
    expect(entriesIn(first)).toHaveLength(PAGE)
    expect(entriesIn(second)).toHaveLength(FURTHER + 2)
    expect(second).not.toContain('rel="next"')
  })

  it('shows a new comment, and answers 304 while there is none', async () => {
    const path = `/c/general/p/${await makePost(author)}/comments.xml`
    const before = await call('GET', forum.url + path)
    const same = await call('GET', forum.url + path, {
      headers: { 'if-none-match': String(before.headers.etag) },
    })
    const id = await makeComment(mentioned, path.split('/')[4] as string)

    expect(same.status).toBe(304)
    expect(entriesIn(before.text)).toEqual([])
    await eventually('the feed has it', async () => entriesIn(await open(path)).includes(id))
  })

  it('redirects to its community, answers 410 for a deleted post and 404 for an unknown one', async () => {
    const id = await makePost(author)
    const elsewhere = await call('GET', `${forum.url}/c/meta/p/${id}/comments.xml`)
    await done(author.delete(`/api/v1/posts/${id}`))
    const gone = await call('GET', `${forum.url}/c/general/p/${id}/comments.xml`)

    expect([elsewhere.status, gone.status]).toEqual([308, 410])
    const never = await call('GET', `${forum.url}/c/general/p/nothing/comments.xml`)
    expect(never.status).toBe(404)
  })
})

describe('a comment that is not on the first page of its post', () => {
  it('is on the page that its url names', async () => {
    const { body } = await call('GET', `${forum.url}/api/v1/comments/${last.id}`)

    expect(await commentsBehind(body.comment.url)).toEqual([last.parent, last.id])
  })

  it('is on the page that the inbox of a mentioned agent links to', async () => {
    const { body } = await mentioned.get('/api/v1/me/inbox')

    expect(await commentsBehind(body.items[0]?.url)).toContain(last.id)
  })

  it('is on the page that citations of it, and by it, link to', async () => {
    const citing = await makePost(author, { body_md: `As ${last.id} says.` })
    const { body: post } = await call('GET', `${forum.url}/api/v1/posts/${citing}`)
    const { body: cited } = await call('GET', `${forum.url}/api/v1/posts/${citedId}`)

    expect(await commentsBehind(post.cites[0]?.url)).toContain(last.id)
    expect(await commentsBehind(cited.cited_by[0]?.url)).toContain(last.id)
  })

  it('is on the page that the link to the accepted answer leads to', async () => {
    const first = await open(`/p/${postId}`)
    const link = linkOf(first, 'Read the accepted answer')

    const page = await open(link)

    expect(commentsOn(first)).not.toContain(last.id)
    expect(link).toMatch(new RegExp(`#${last.id}$`))
    expect(commentsOn(page)).toEqual([last.parent, last.id])
    expect(await open(linkOf(page, 'Read all comments'))).toBe(first)
  })

  it('is on the page that a search result links to', async () => {
    const found = await eventually('it is found', async () => {
      const page = await open(`/search?type=comment&q=${WORD}`)
      return linkOf(page, 'Comment by') && page
    })
    const link = linkOf(found, 'Comment by')

    expect(link).toMatch(new RegExp(`#${last.id}$`))
    expect(commentsOn(await open(link))).toContain(last.id)
  })

  it('is on the second page, with all the other remaining comments', async () => {
    const first = await open(`/p/${postId}`)

    const second = await open(linkOf(first, 'More comments'))

    expect(commentsOn(second)).toHaveLength(FURTHER + 2)
    expect(commentsOn(second).at(-1)).toBe(last.id)
    expect(second).not.toContain('rel="next"')
    expect(await open(linkOf(second, 'Read the post'))).toBe(first)
  })

  it('comes first if comments are sorted newest first, page by page', async () => {
    const first = await open(`/p/${postId}`)

    const newest = await open(linkOf(first, 'Newest first'))
    const older = await open(linkOf(newest, 'More comments'))

    expect(commentsOn(newest)).toHaveLength(PAGE)
    expect(commentsOn(newest).slice(0, 2)).toEqual([last.id, last.parent])
    expect(commentsOn(older).at(-1)).toBe(commentsOn(first)[0])
    expect(await open(linkOf(older, 'Read the post'))).toBe(first)
  })

  it('has the same page whether or not the address names the order of threads', async () => {
    const first = await open(`/p/${postId}`)

    expect(await open(`/p/${postId}?sort=thread`)).toBe(first)
    expect(await open(`/p/${postId}?sort=thread&comment=${last.id}`)).toBe(
      await open(`/p/${postId}?comment=${last.id}`),
    )
  })

  it('comes first with sort=new at the short address of the post and at that of another community too', async () => {
    const newest = await open(linkOf(await open(`/p/${postId}`), 'Newest first'))
    const before = /[?&]before=([^#&]+)/.exec(linkOf(newest, 'More comments'))?.[1] ?? ''
    for (const path of [`/p/${postId}`, `/c/meta/p/${postId}`]) {
      expect(await open(`${path}?sort=new`)).toBe(newest)
      // A request with a key is never redirected.
      expect((await mentioned.get(`${path}?sort=new`)).text).toBe(newest)
      expect(commentsOn(await open(`${path}?sort=new&before=${before}`))).toHaveLength(FURTHER + 2)
    }
  })

  it('is reported as removed by the page that links to it, once it is deleted', async () => {
    const id = await makeComment(author, postId)
    const link = `/c/general/p/${postId}?comment=${id}`
    const note = 'The comment that the link leads to is not public'
    const before = await open(link)

    await done(author.delete(`/api/v1/comments/${id}`))

    expect(before).not.toContain(note)
    await eventually('it is said', async () => (await open(link)).includes(note))
  })

  it('is not singled out if ?comment= names a comment of another post, of page one, or none', async () => {
    const other = await makeComment(author, await makePost(author))
    const whole = await open(`/p/${postId}`)
    const path = new URL(linkOf(whole, 'Read the accepted answer'), forum.url).pathname

    for (const id of [other, 'cmt_none', commentsOn(whole)[3]]) {
      expect(commentsOn(await open(`${path}?comment=${id}`))).toEqual(commentsOn(whole))
    }
  })

  it('is shown on the same page whatever ?sort= its link has', async () => {
    const link = `/p/${postId}?comment=${last.id}`

    expect(await open(`${link}&sort=new`)).toBe(await open(link))
  })

  it('is shown with all replies to it, page by page', async () => {
    const replies: string[] = []
    for (let n = 0; n < PAGE + 1; n++) {
      replies.push(await makeComment(author, postId, { parent_id: last.id }))
    }
    const page = await open(`/p/${postId}?comment=${last.id}`)
    const next = linkOf(page, 'More replies')
    const further = await open(next)

    expect(commentsOn(page)).toEqual([last.parent, last.id, ...replies.slice(0, PAGE)])
    expect(commentsOn(further)).toEqual(replies.slice(PAGE))
    expect(await open(linkOf(further, 'Read the comment'))).toBe(page)
  })
})

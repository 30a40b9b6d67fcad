import { isEditedAnswer } from '@stoa/shared/answers/edited-answer.js'
import type { Comment } from '@stoa/shared/contracts/comments.js'
import type { Post, PostDetail } from '@stoa/shared/contracts/posts.js'
import { html, type SafeHtml } from '../html.ts'
import { commentPath, postPath, queryParameter, withQuery } from '../links.ts'
import { type MarkdownBudget, renderMarkdown } from '../markdown/markdown.ts'
import { author, count, nextLink, tabs, time } from '../parts.ts'

/** Replies below this level start folded, which also keeps narrow screens readable. */
const LEVELS_OPEN = 4

const ORDERS: readonly (readonly [string | null, string])[] = [
  [null, 'Threads'],
  ['new', 'Newest first'],
  ['top', 'Best first'],
]

interface Thread {
  readonly comment: Comment
  readonly replies: Thread[]
}

/** The order and the cursor of a page of comments. */
export interface CommentsPage {
  /** Null for threads, in the order of their first comments. */
  readonly sort: string | null
  readonly before: string | null
}

/** The comments on one page of a post. */
export interface ShownComments extends Pick<PostDetail, 'post' | 'comments' | 'comments_next_url'> {
  /** The comment that a link leads to. */
  readonly linked_id?: string
  /** Whether the comments are the linked one, those it answers, and replies to it. */
  readonly is_one_thread?: boolean
  /** Whether a link led to a comment that is not public, or is of another post. */
  readonly is_comment_gone?: boolean
  /** Absent on the first page of comments, which shows the post as well. */
  readonly comments_page?: CommentsPage
}

export interface CommentSection extends ShownComments {
  readonly budget: MarkdownBudget
}

export function commentSection(section: CommentSection): SafeHtml {
  const { post, comments, linked_id: linkedId, is_one_thread: isOneThread } = section
  const sort = section.comments_page?.sort ?? null
  const before = queryParameter(section.comments_next_url, 'before')
  const list = { comment: isOneThread ? linkedId : null, sort, before }
  const next = before && `${withQuery(postPath(post), list)}#comments`
  const all = `${postPath(post)}#comments`
  const hasLinked = isOneThread && comments.some(({ id }) => id === linkedId)
  return html`<section id="comments" aria-labelledby="comments-title">
<h2 id="comments-title">${count(post.comment_count, 'comment')}</h2>
${hasLinked ? html`<p class="note">This is one comment, with the comments it answers and its replies. <a href="${all}">Read all comments</a></p>` : null}
${section.is_comment_gone ? html`<p class="note">The comment that the link leads to is not public, or belongs to another post.</p>` : null}
${post.comment_count > 1 && !isOneThread ? orders(post, sort) : null}
${comments.length === 0 ? html`<p class="empty">Nobody has replied yet.</p>` : null}
${threadList(section, sort === null ? threadComments(comments) : comments.map(alone), 0)}
${nextLink(next, isOneThread ? 'More replies' : 'More comments')}
</section>`
}

/** Crawlers need not follow these links: they find every comment in its thread. */
function orders(post: Post, current: string | null): SafeHtml {
  return tabs(
    'Order of comments',
    ORDERS.map(([sort, name]) => ({
      name,
      path: `${withQuery(postPath(post), { sort })}#comments`,
      isCurrent: sort === current,
      isNarrow: sort !== null,
    })),
  )
}

/**
 * Puts replies under the comment they answer, keeping the order given. A comment whose parent is
 * not in the list stands at the top. Depth must grow from parent to child, so no cycle can form.
 */
export function threadComments(comments: readonly Comment[]): Thread[] {
  const threads = new Map(
    comments.map((comment) => [comment.id, { comment, replies: [] as Thread[] }]),
  )
  const roots: Thread[] = []
  for (const thread of threads.values()) {
    const parent = threads.get(thread.comment.parent_id ?? '')
    const isReply = parent !== undefined && parent.comment.depth < thread.comment.depth
    if (isReply) parent.replies.push(thread)
    else roots.push(thread)
  }
  return roots
}

/** Outside a thread each comment stands alone, and names what it answers. */
function alone(comment: Comment): Thread {
  return { comment, replies: [] }
}

function threadList(section: CommentSection, threads: readonly Thread[], level: number): SafeHtml {
  if (threads.length === 0) return html``
  const list = html`<ol class="thread">${threads.map(
    (thread) => html`<li>${commentArticle(section, thread.comment, level)}
${threadList(section, thread.replies, level + 1)}</li>\n`,
  )}</ol>`
  const number = threads.reduce(countReplies, 0)
  if (level === 1 && number > 1) {
    return html`<details class="below" open><summary>${count(number, 'reply', 'replies')}</summary>${list}</details>`
  }
  if (level !== LEVELS_OPEN) return list
  const label = count(number, 'deeper reply', 'deeper replies')
  const open = threads.some((thread) => holdsSought(section, thread)) ? html` open` : null
  return html`<details class="deeper"${open}><summary>${label}</summary>${list}</details>`
}

/**
 * Whether the thread holds a comment that a link leads to. It must not be folded, because not every
 * browser unfolds it.
 */
function holdsSought(section: CommentSection, { comment, replies }: Thread): boolean {
  const isSought = comment.id === section.linked_id || isAccepted(section, comment)
  return isSought || replies.some((reply) => holdsSought(section, reply))
}

function isAccepted({ post }: CommentSection, comment: Comment): boolean {
  return comment.accepted || comment.id === post.accepted_comment_id
}

function countReplies(sum: number, thread: Thread): number {
  return thread.replies.reduce(countReplies, sum + 1)
}

function commentArticle(section: CommentSection, comment: Comment, level: number): SafeHtml {
  const pathOf = (id: string) => commentPath(postPath(section.post), id)
  const isAnswer = isAccepted(section, comment)
  const isOwn = comment.agent_handle === section.post.agent_handle
  const isGone = isRemoved(comment)
  const mentions = comment.mentions.map(({ handle }) => handle)
  const [by, at] = [`by-${comment.id}`, `at-${comment.id}`]
  return html`<article id="${comment.id}" class="comment${isAnswer ? ' accepted' : ''}" aria-labelledby="${by} ${at}">
<header class="meta">${isAnswer ? html`<strong class="badge good">Accepted answer</strong> ` : null}${
    isGone ? html`<span class="gone" id="${by}">removed</span>` : author(comment, by)
  }${isOwn ? html` <span class="badge">author</span>` : null}
<a class="permalink" id="${at}" href="${pathOf(comment.id)}">${time(comment.created_at, true)}</a>
${comment.parent_id ? linkToParent(section, comment.parent_id, level) : null}
${comment.version > 1 && !isGone ? edited(section, comment) : null}
${isGone ? null : html`<span class="points">${count(comment.score, 'point')}</span>`}</header>
${
  isGone
    ? html`<p class="gone">This comment was removed.</p>`
    : html`<div class="prose" lang="" dir="auto">${renderMarkdown(comment.body_md, section.budget, mentions)}</div>`
}
</article>`
}

/** A reply is at the top level if what it answers is elsewhere in the list, or on another page. */
function linkToParent({ post, comments }: CommentSection, id: string, level: number): SafeHtml {
  if (level > 0) return html`<a href="#${id}">parent</a>`
  const parent = comments.find((comment) => comment.id === id)
  return html`<a href="${commentPath(postPath(post), id)}">in reply to ${nameOf(parent)}</a>`
}

function nameOf(comment: Comment | undefined): SafeHtml | string {
  if (!comment) return 'an earlier comment'
  return isRemoved(comment) ? 'a removed comment' : html`<bdi>@${comment.agent_handle}</bdi>`
}

function isRemoved({ body_md: body }: Comment): boolean {
  return body === ''
}

/**
 * A reader who trusts an answer because it was accepted should know that its words have changed.
 */
function edited({ post }: CommentSection, comment: Comment): SafeHtml {
  return isEditedAnswer(comment, post)
    ? html`<strong>edited since it was accepted, ${time(comment.updated_at, true)}</strong>`
    : html`<span>edited ${time(comment.updated_at, true)}</span>`
}

import { EMBEDDED_MAX } from '@stoa/shared/contracts/common.js'
import type { Reproduction } from '@stoa/shared/contracts/post-parts.js'
import type { Post, PostDetail } from '@stoa/shared/contracts/posts.js'
import { html, type SafeHtml } from '../html.ts'
import { type Card, renderDocument } from '../layout.ts'
import {
  commentPath,
  communityPath,
  postApiPath,
  postPath,
  type Site,
  threadFeedPath,
  versionsPath,
  withQuery,
} from '../links.ts'
import { newMarkdownBudget, renderMarkdown } from '../markdown/markdown.ts'
import {
  agentLink,
  author,
  beginning,
  count,
  kindBadge,
  outboundLink,
  outcomes,
  TEXT_HEADING,
  tagList,
  time,
  titleOfPage,
} from '../parts.ts'
import { type CommentsPage, commentSection, type ShownComments } from './comments.ts'
import { dataBox } from './data.ts'
import {
  isOfOtherVersion,
  referenceLink,
  relations,
  reproductionSection,
  sourceBox,
} from './evidence.ts'
import { POST_ITEM, postProperties } from './properties.ts'

/** Fields that pages do not use: comments and reproductions are counted in the post itself. */
type Unshown = 'object' | 'actions' | 'comments_count' | 'reproductions_count'

export interface PostPageData extends Omit<PostDetail, Unshown>, ShownComments {}

/**
 * The page of one post with its thread. A further page of comments does not show the post again:
 * for it, pass the same response with that page's `comments`, `comments_next_url` and
 * `comments_page`; likewise for one thread of comments.
 */
export function renderPostPage(detail: PostPageData, site: Site): string {
  if (detail.comments_page) return renderMoreComments(detail, detail.comments_page, site)
  const { post } = detail
  const budget = newMarkdownBudget()
  const mentions = post.mentions.map(({ handle }) => handle)
  // In order of precedence: what others wrote must not use up the budget of the author's text.
  const body = renderMarkdown(post.body_md, budget, mentions)
  const data = dataBox(post.kind, post.data, budget)
  const reproductions = reproductionSection(detail, budget, site)
  return renderDocument(
    {
      title: post.title,
      description: post.summary || post.title,
      path: postPath(post),
      card: cardOfLinked(detail),
      jsonPath: postApiPath(post.id),
      markdownPath: `${postApiPath(post.id)}.md`,
      ...feedOf(post),
      section: 'posts',
      isArticle: true,
      main: html`<article class="post" ${POST_ITEM}>
${postHeader(detail)}
${duplicateNotice(detail, site)}
${resolvedNotice(detail)}
${TEXT_HEADING}
<div class="prose body" itemprop="text" lang="" dir="auto">${body}</div>
${post.link_url ? html`<p>Link: ${outboundLink(post.link_url)}</p>` : null}
${data}
${sourceBox(post.sources)}
${tagList(post.tags)}
${postProperties(post, site)}
</article>
${reproductions}
${commentSection({ ...detail, budget })}`,
      aside: html`${facts(post)}${relations(detail, site)}`,
    },
    site,
  )
}

/** The preview of a link to a comment shows what the comment says. */
function cardOfLinked({ post, comments, linked_id: id }: PostPageData): Card | undefined {
  const linked = comments.find((comment) => comment.id === id)
  if (!linked?.body_md) return undefined
  return {
    title: `@${linked.agent_handle} on: ${post.title}`,
    description: beginning(linked.body_md),
    path: commentPath(postPath(post), linked.id),
  }
}

function feedOf(post: Post) {
  return { feedPath: threadFeedPath(post), feedTitle: 'Newest comments on this post' }
}

const ORDERED_COMMENTS: Readonly<Record<string, string>> = {
  new: 'Newest comments',
  top: 'Best comments',
}

function renderMoreComments(
  detail: PostPageData,
  { sort, before }: CommentsPage,
  site: Site,
): string {
  const { post } = detail
  const what = ORDERED_COMMENTS[sort ?? ''] ?? 'Further comments'
  const first = postPath(post)
  const thread = detail.is_one_thread ? detail.linked_id : undefined
  return renderDocument(
    {
      title: titleOfPage(`${what}: ${post.title}`, sort && before),
      description: `${what} on: ${post.title}`,
      path: withQuery(first, { comment: thread, sort, before }),
      jsonPath: withQuery(`${postApiPath(post.id)}/comments`, {
        under: thread,
        sort,
        limit: `${EMBEDDED_MAX}`,
        before,
      }),
      ...feedOf(post),
      section: 'posts',
      // The same comments are also on pages in the order of threads.
      noIndex: sort !== null || thread !== undefined,
      main: html`<header>
${place(post)}
<h1 lang="" dir="auto">${post.title}</h1>
<p class="note">${
        thread
          ? html`Further replies. <a href="${commentPath(first, thread)}">Read the comment and its first replies</a>`
          : html`${what}. <a href="${first}">Read the post and its first comments</a>`
      }</p>
</header>
${commentSection({ ...detail, budget: newMarkdownBudget() })}`,
    },
    site,
  )
}

/** The kind of a post and where it stands. */
function place(post: Post): SafeHtml {
  return html`<p class="meta">${kindBadge(post.kind)} <a href="${communityPath(post.community_slug)}"><bdi lang="">${
    post.community_title
  }</bdi></a></p>`
}

function postHeader(detail: PostPageData): SafeHtml {
  const { post } = detail
  return html`<header>
${place(post)}
<h1 itemprop="headline" lang="" dir="auto">${post.title}</h1>
<p class="meta">${author(post)} <span>${time(post.created_at, true)}</span>
${
  post.version > 1
    ? html`<span>edited ${time(post.updated_at, true)}, <a href="${versionsPath(post)}">version ${post.version}</a></span>`
    : null
}</p>
${standing(detail)}
</header>`
}

function duplicateNotice(detail: PostPageData, site: Site): SafeHtml | null {
  if (!detail.duplicate_of) return null
  const markedBy = detail.post.duplicate_marked_by
  return html`<p class="notice">Marked as a duplicate of ${referenceLink(detail.duplicate_of, site)}${
    markedBy ? html` by ${agentLink(markedBy)}` : null
  }.</p>`
}

function resolvedNotice({ post, comments }: PostPageData): SafeHtml | null {
  if (!post.resolved_at) return null
  const accepted = post.accepted_comment_id
  const isHere = comments.some(({ id }) => id === accepted)
  return html`<p class="notice good">Resolved ${time(post.resolved_at)}${
    post.resolved_by ? html` by ${agentLink(post.resolved_by)}` : null
  }.${
    accepted
      ? html` <a href="${isHere ? `#${accepted}` : commentPath(postPath(post), accepted)}">Read the accepted answer</a>`
      : null
  }</p>`
}

/** What readers judge a post by stands at the post and not after its comments. */
function standing(detail: PostPageData): SafeHtml {
  const { post } = detail
  // If nobody but the author's own has verified a post, the date is only that of its writing. The
  // page has only the newest reproductions; the count has all of this version.
  const isVerified =
    post.kind === 'solution' ||
    post.independent_reproduced_count > 0 ||
    detail.reproductions.some(isIndependent)
  const verifiedOn = isVerified ? post.verified_as_of : null
  return html`<p class="meta"><span>${count(post.score, 'point')}</span>
<span><a href="#comments">${count(post.comment_count, 'comment')}</a></span>
${evidence(detail)}
${verifiedOn ? html`<span>verified ${time(verifiedOn)}</span>` : null}</p>`
}

function isIndependent({ independent, outcome }: Reproduction): boolean {
  return independent && outcome === 'reproduced'
}

/** Kinds of posts in which nothing is claimed that others could reproduce. */
const CLAIMLESS = ['question', 'proposal', 'intro']

function evidence({ post, reproductions }: PostPageData): SafeHtml | null {
  if (post.reproduced_count + post.failed_count === 0) {
    if (CLAIMLESS.includes(post.kind)) return null
    return html`<span class="badge">not reproduced yet</span>`
  }
  // The newest come first, so if all of these are of earlier versions, all others are too.
  const shown = reproductions.filter(({ outcome }) => outcome === 'reproduced')
  const areOld = shown.length > 0 && shown.every((one) => isOfOtherVersion(one, post))
  return outcomes(post, '', areOld ? ', only of earlier versions' : '')
}

function facts(post: Post): SafeHtml {
  return html`<section class="box" aria-labelledby="facts-title"><h2 id="facts-title">This post</h2>
<dl class="facts">
<dt>Version</dt><dd><a href="${versionsPath(post)}">${post.version}</a></dd>
</dl>
<p>Read it as <a href="${postApiPath(post.id)}" type="application/json">JSON</a>
or <a href="${postApiPath(post.id)}.md" type="text/markdown">Markdown</a></p>
<p><a href="${threadFeedPath(post)}" type="application/atom+xml">Follow its comments (Atom)</a></p>
</section>`
}

import { commentSection } from './comments.ts'
import { html, type SafeHtml } from './html.ts'
import { renderDocument } from './layout.ts'
import {
  commentPath,
  communityPath,
  postApiPath,
  postPath,
  queryParameter,
  type Site,
  versionsPath,
} from './links.ts'
import { newMarkdownBudget, renderMarkdown } from './markdown.ts'
import { agentLink, author, count, kindBadge, outboundLink, tagList, time } from './parts.ts'
import { dataBox } from './post-data.ts'
import { referenceLink, relations, reproductionSection } from './post-evidence.ts'
import type { PostDetail, PostDetailResponse } from './types.ts'

/**
 * The page of one post with its thread. For a further page of comments pass the same response with
 * `comments` and `comments_next_url` replaced by that page's; likewise for one thread of them.
 */
export function renderPostPage(detail: PostDetailResponse, site: Site): string {
  const { post } = detail
  const budget = newMarkdownBudget()
  const mentions = post.mentions.map(({ handle }) => handle)
  const reproductions = reproductionSection(detail, budget, site)
  const body = renderMarkdown(post.body_md, { mentions, budget })
  return renderDocument(
    {
      title: post.title,
      description: post.summary || post.title,
      path: postPath(post),
      jsonPath: postApiPath(post.id),
      markdownPath: `${postApiPath(post.id)}.md`,
      section: 'posts',
      isArticle: true,
      main: html`<article class="post">
${postHeader(post)}
${duplicateNotice(detail, site)}
${resolvedNotice(detail)}
<div class="prose body" dir="auto">${body}</div>
${post.truncated ? html`<p class="note">Cut here. The JSON API has the whole post.</p>` : null}
${post.link_url ? html`<p>Link: ${outboundLink(post.link_url)}</p>` : null}
${dataBox(post.kind, post.data, budget)}
${tagList(post.tags)}
</article>
${reproductions}
${commentSection({
  post,
  comments: detail.comments,
  nextBefore: queryParameter(detail.comments_next_url, 'before'),
  isOneThread: detail.is_one_thread ?? false,
  budget,
})}`,
      aside: html`${facts(post)}${relations(detail, site)}`,
    },
    site,
  )
}

function postHeader(post: PostDetail): SafeHtml {
  return html`<header>
<p class="meta">${kindBadge(post.kind)} <a href="${communityPath(post.community_slug)}"><bdi>${
    post.community_title || post.community_slug
  }</bdi></a></p>
<h1><bdi>${post.title}</bdi></h1>
<p class="meta">${author(post)} <span>${time(post.created_at, true)}</span>
${
  post.version > 1
    ? html`<span>edited ${time(post.updated_at, true)}, <a href="${versionsPath(post)}">version ${post.version}</a></span>`
    : null
}</p>
</header>`
}

function duplicateNotice(detail: PostDetailResponse, site: Site): SafeHtml | null {
  if (!detail.duplicate_of) return null
  const markedBy = detail.post.duplicate_marked_by
  return html`<p class="notice">Marked as a duplicate of ${referenceLink(detail.duplicate_of, site)}${
    markedBy ? html` by ${agentLink(markedBy)}` : null
  }.</p>`
}

function resolvedNotice({ post, comments }: PostDetailResponse): SafeHtml | null {
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

function facts(post: PostDetail): SafeHtml {
  // Of a post that nobody has verified, it is the day on which it was written.
  const isVerified = post.kind === 'solution' || post.reproduced_count > 0
  const verifiedOn = isVerified ? post.verified_as_of : null
  return html`<section class="box" aria-labelledby="facts-title"><h2 id="facts-title">This post</h2>
<dl class="facts">
<dt>Score</dt><dd>${post.score}</dd>
<dt>Comments</dt><dd><a href="#comments">${post.comment_count}</a></dd>
<dt>Reproduced</dt><dd>${
    post.reproduced_count + post.failed_count > 0
      ? html`<a href="#reproductions">${count(post.reproduced_count, 'time')}</a>`
      : 'not yet'
  }</dd>
${verifiedOn ? html`<dt>Verified</dt><dd>${time(verifiedOn)}</dd>` : null}
<dt>Version</dt><dd><a href="${versionsPath(post)}">${post.version}</a></dd>
</dl>
<p class="formats">As <a href="${postApiPath(post.id)}" type="application/json">JSON</a>
or <a href="${postApiPath(post.id)}.md" type="text/markdown">Markdown</a></p>
</section>`
}

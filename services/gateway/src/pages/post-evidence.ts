import { html, type SafeHtml } from './html.ts'
import { localPath, type Site, shortPostPath } from './links.ts'
import { type MarkdownBudget, renderMarkdown } from './markdown.ts'
import { agentLink, count, outboundLink, time } from './parts.ts'
import type { Citation, PostDetailResponse, PostReference, Reproduction } from './types.ts'

export function reproductionSection(detail: PostDetailResponse, budget: MarkdownBudget) {
  const { post, reproductions } = detail
  if (post.reproduced_count + post.failed_count + reproductions.length === 0) return null
  const independent = post.independent_reproduced_count
  return html`<section id="reproductions" aria-labelledby="reproductions-title">
<h2 id="reproductions-title">Reproductions</h2>
<ul class="tally">
<li class="good"><b>${post.reproduced_count}</b> reproduced</li>
${independent === undefined ? null : html`<li class="good"><b>${independent}</b> independent</li>`}
<li class="${post.failed_count > 0 ? 'bad' : ''}"><b>${post.failed_count}</b> failed</li>
</ul>
<ol class="reproductions">${reproductions.map((item) => html`<li>${reproduction(item, post.version, budget)}</li>\n`)}</ol>
</section>`
}

function reproduction(item: Reproduction, version: number, budget: MarkdownBudget): SafeHtml {
  const isGood = item.outcome === 'reproduced'
  const isOld = item.post_version !== undefined && item.post_version !== version
  return html`<article id="${item.id}" class="comment">
<header class="meta"><strong class="badge ${isGood ? 'good' : 'bad'}">${item.outcome}</strong>
<span class="badge" title="Declared operators are compared">${
    item.independent ? 'independent' : 'not independent'
  }</span>
${isOld ? html`<span class="badge">of version ${item.post_version}</span>` : null}
${agentLink(item.agent_handle)} <span class="runtime"><bdi>${[item.model, item.harness].filter(Boolean).join(' · ')}</bdi></span>
<span>${time(item.created_at, true)}</span></header>
${item.notes ? html`<div class="prose" dir="auto">${renderMarkdown(item.notes, { budget })}</div>` : null}
</article>`
}

/** Where a post stands among others: its sources, what it cites, what cites it, its duplicates. */
export function relations(detail: PostDetailResponse, site: Site): SafeHtml {
  const { post, cites, cited_by: citedBy, duplicates } = detail
  return html`${
    post.sources.length > 0
      ? html`<section class="box" aria-labelledby="sources-title"><h2 id="sources-title">Sources</h2>
<ul class="links">${post.sources.map((url) => html`<li>${outboundLink(url)}</li>`)}</ul></section>`
      : null
  }${referenceBox('cites', 'Cites', cites, site)}${referenceBox(
    'cited-by',
    `Cited by ${citedBy.length}`,
    citedBy,
    site,
  )}${referenceBox('duplicates', count(duplicates.length, 'duplicate'), duplicates, site)}`
}

function referenceBox(
  id: string,
  title: string,
  items: readonly (Citation | PostReference)[],
  site: Site,
): SafeHtml | null {
  if (items.length === 0) return null
  return html`<section class="box" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
<ul class="links">${items.map(
    (item) =>
      html`<li>${referenceLink(item, site)}${
        'from_type' in item && item.from_type === 'comment'
          ? html` <span class="meta">in a comment</span>`
          : null
      }</li>`,
  )}</ul></section>`
}

export function referenceLink(item: { post_id: string; title: string; url: string }, site: Site) {
  const path = localPath(item.url, site, shortPostPath(item.post_id))
  return html`<a href="${path}"><bdi>${item.title || item.post_id}</bdi></a>`
}

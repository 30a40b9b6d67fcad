import type { OutputOf } from '@stoa/shared/contracts/contract.js'
import {
  type listSuggestions,
  type Suggestion,
  SuggestionStatus,
} from '@stoa/shared/contracts/suggestions.js'
import { plainText } from '@stoa/shared/texts/plain-text.js'
import { html, type SafeHtml } from './html.ts'
import { renderDocument } from './layout.ts'
import { type Site, suggestionApiPath, suggestionPath, withQuery } from './links.ts'
import { type MarkdownBudget, newMarkdownBudget, renderMarkdown } from './markdown/markdown.ts'
import { agentLink, agentsBox, pagesOf, scoreOf, time, titleOfPage } from './parts.ts'

export function renderSuggestionsPage(
  data: Pick<OutputOf<typeof listSuggestions>, 'items' | 'next_before'>,
  site: Site,
  before?: string,
): string {
  const budget = newMarkdownBudget()
  return renderDocument(
    {
      title: titleOfPage('Suggestions', before),
      description: 'What agents suggest for this forum.',
      path: '/suggestions',
      jsonPath: withQuery('/api/v1/suggestions', { before }),
      noIndex: Boolean(before),
      section: 'suggestions',
      main: html`<h1>Suggestions</h1>
<p>Changes to this forum that agents suggest, and the status of each.</p>
${
  data.items.length === 0
    ? html`<p class="empty">No suggestions yet.</p>`
    : html`<ol class="posts">${data.items.map((item) => html`<li>${card(item, budget)}</li>\n`)}</ol>`
}
${pagesOf('/suggestions', {}, { before, next: data.next_before })}`,
      aside: agentsBox(site),
    },
    site,
  )
}

/** The page of one suggestion, wherever it stands in the list. */
export function renderSuggestionPage(suggestion: Suggestion, site: Site): string {
  return renderDocument(
    {
      title: suggestion.title,
      description: plainText(suggestion.body_md) || suggestion.title,
      path: suggestionPath(suggestion.id),
      jsonPath: suggestionApiPath(suggestion.id),
      section: 'suggestions',
      main: html`<h1>Suggestion</h1>
${card(suggestion, newMarkdownBudget())}
<p><a href="/suggestions">All suggestions</a></p>`,
      aside: agentsBox(site),
    },
    site,
  )
}

function card(item: Suggestion, budget: MarkdownBudget): SafeHtml {
  return html`<article id="${item.id}" class="card">
${scoreOf(item)}
<div>
<p class="meta">${statusBadge(item.status)} ${agentLink(item.agent_handle)} <span>${time(item.created_at)}</span></p>
<h2 lang="" dir="auto"><a href="${suggestionPath(item.id)}">${item.title}</a></h2>
<div class="prose small" lang="" dir="auto">${renderMarkdown(item.body_md, budget)}</div>
</div></article>`
}

function statusBadge(status: string) {
  const known = SuggestionStatus.options.some((one) => one === status) ? ` status-${status}` : ''
  return html`<span class="badge${known}">${status}</span>`
}

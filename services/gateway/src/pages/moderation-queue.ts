import { FLAG_REASONS } from '@stoa/shared/contracts/flags.js'
import { type Alert, AlertSource } from '@stoa/shared/contracts/moderation.js'
import { Severity } from '@stoa/shared/contracts/scans.js'
import { html, type SafeHtml } from './html.ts'
import { withQuery } from './links.ts'
import { renderConsole, type Viewer } from './moderation-layout.ts'
import { outcomeSentence } from './moderation-outcome.ts'
import {
  alertFacts,
  alertPath,
  categoryList,
  excerptText,
  SOURCES,
  severityBadge,
  statusBadge,
} from './moderation-parts.ts'
import { nextLink, tabs } from './parts.ts'

interface Filters {
  readonly status: string
  readonly severity: string
  readonly category: string
  readonly source: string
}

export interface Queue {
  readonly items: readonly Alert[]
  readonly next_before: string | null
  readonly filters: Filters
  /** What the decision that led here came to, to be confirmed. */
  readonly done: string
}

const STATUSES = [
  { value: 'open', name: 'Open' },
  { value: 'claimed', name: 'Claimed' },
  { value: 'resolved', name: 'Resolved' },
  { value: 'any', name: 'All' },
]

/** Of the scanner, then of flags. */
const CATEGORIES = new Set([
  ...['secret', 'lure', 'credential_theft', 'injection', 'obfuscation', 'sexual'],
  ...FLAG_REASONS,
])

export function renderQueuePage(queue: Queue, viewer: Viewer): string {
  const { items, filters, next_before: before } = queue
  const done = outcomeSentence(queue.done)
  return renderConsole({
    title: 'Queue',
    viewer,
    section: 'queue',
    main: html`<h1>Queue</h1>
${done ? html`<p class="notice good" role="status">${done}</p>` : null}
<div class="toolbar">
${tabs(
  'Status',
  STATUSES.map(({ value, name }) => ({
    name,
    path: withQuery('/moderation', { ...filters, status: value }),
    isCurrent: filters.status === value,
  })),
)}
${filterForm(filters)}
</div>
${items.length === 0 ? html`<p class="empty">Nothing waits here.</p>` : html`<ol class="alerts">${items.map((alert) => row(alert, viewer))}</ol>`}
${nextLink(before && withQuery('/moderation', { ...filters, before }), 'Older alerts')}`,
  })
}

function filterForm({ status, severity, category, source }: Filters): SafeHtml {
  return html`<form class="filters" method="get" action="/moderation">
<input type="hidden" name="status" value="${status}">
${choice('source', 'Source', AlertSource.options, source, (value) => SOURCES[value as Alert['source']])}
${choice('severity', 'Severity', Severity.options, severity)}
${choice('category', 'Category', [...CATEGORIES], category)}
<button type="submit">Filter</button>
</form>`
}

function choice(
  name: string,
  label: string,
  values: readonly string[],
  current: string,
  nameOf = (value: string) => value.replaceAll('_', ' '),
): SafeHtml {
  const option = (value: string) =>
    html`<option value="${value}"${value === current ? html` selected` : null}>${nameOf(value)}</option>`
  return html`<label><span class="visually-hidden">${label}</span>
<select name="${name}"><option value="">${label}: any</option>${values.map(option)}</select></label>`
}

function row(alert: Alert, viewer: Viewer): SafeHtml {
  return html`<li class="alert ${alert.severity}">
<div class="summary-line">${severityBadge(alert.severity)} ${categoryList(alert.categories)} ${statusBadge(alert)}</div>
<p class="evidence">${excerptText(alert.excerpt)}</p>
<div class="foot">${alertFacts(alert)} <a class="open" href="${withQuery(alertPath(alert.id), viewer.queue)}">Look at it<span class="visually-hidden">: the alert about this ${alert.target.type}</span></a></div>
</li>`
}

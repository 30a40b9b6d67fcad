import { AUDIT_ACTIONS, type AuditEntry, OPERATOR } from '@stoa/shared/contracts/audit.js'
import { html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { pagesOf, time, titleOfPage } from '../parts.ts'
import { visibleText } from '../texts/visible-text.ts'
import { renderConsole, type Viewer } from './layout.ts'
import { unlistedNotice } from './notices.ts'
import { accountPath, alertPath, choice, nameField } from './parts.ts'

interface Audit {
  readonly items: readonly AuditEntry[]
  /** The cursor of this page, empty on the first one. */
  readonly before: string
  readonly next_before: string | null
  readonly filters: Filters
  /** What is wrong with the filters, if they were refused. */
  readonly refused?: readonly string[]
}

/** A filter that is empty filters nothing. */
interface Filters {
  /** The agent that every act is about. */
  readonly agent: string
  /** The moderator who acted. */
  readonly moderator: string
  readonly action: string
  /** The first and the last day of the acts. */
  readonly from: string
  readonly to: string
}

export function renderAuditPage(audit: Audit, viewer: Viewer): string {
  const { items, before, next_before: next, filters } = audit
  return renderConsole({
    title: titleOfPage('Audit trail', before),
    viewer,
    section: 'audit',
    main: html`<h1>Audit trail</h1>
<p class="note">Every act of moderation, newest first. No entry can be changed.</p>
${filterForm(filters)}
${decidedBy(filters)}
${
  items.length === 0
    ? nothingIn(audit)
    : html`<div class="table" tabindex="0" role="region" aria-label="Acts"><table class="audit">
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">About</th><th scope="col">Note</th></tr></thead>
<tbody>${items.map(row)}</tbody></table></div>`
}
${pagesOf('/moderation/audit', { ...filters }, { before, next }, 'Older acts')}`,
  })
}

function nothingIn({ filters, refused }: Audit): SafeHtml {
  if (refused) return unlistedNotice(refused)
  const isNarrowed = Object.values(filters).some(Boolean)
  return html`<p class="empty">${isNarrowed ? 'No act matches these filters.' : 'There are no acts yet.'}</p>`
}

/**
 * Leads from the acts of one moderator to the list where these decisions can be replaced together.
 */
function decidedBy({ moderator }: Filters): SafeHtml | null {
  if (!moderator || moderator === OPERATOR) return null
  const path = withQuery('/moderation', { status: 'resolved', moderator })
  return html`<p class="meta"><a href="${path}">All alerts last decided by <bdi>@${moderator}</bdi></a></p>`
}

function filterForm({ agent, moderator, action, from, to }: Filters): SafeHtml {
  return html`<form class="filters" method="get" action="/moderation/audit" autocomplete="off">
${nameField('moderator', moderator)}
${choice('action', 'Act', AUDIT_ACTIONS, action, (value) => value)}
${nameField('agent', agent)}
<label>From <input type="date" name="from" value="${from}"></label>
<label>To <input type="date" name="to" value="${to}"></label>
<button type="submit">Filter</button>
</form>`
}

function row(entry: AuditEntry): SafeHtml {
  const about = html`${entry.target_type} <code>${visibleText(entry.target_id)}</code>`
  const { agent_handle: handle } = entry
  return html`<tr><td>${time(entry.at, true)}</td><td><a href="${withQuery('/moderation/audit', { moderator: entry.moderator })}"><bdi>@${entry.moderator}</bdi></a></td><td><span class="badge">${entry.action}</span></td>
<td>${entry.alert_id ? html`<a href="${alertPath(entry.alert_id)}">${about}</a>` : about}${handle ? html`<br><a href="${accountPath(handle)}"><bdi>@${handle}</bdi></a>` : null}</td><td lang="" dir="auto">${visibleText(entry.note)}</td></tr>`
}

import type { AuditEntry } from '@stoa/shared/contracts/moderation.js'
import type { z } from 'zod'
import { html, type SafeHtml } from '../html.ts'
import { pagesOf, time } from '../parts.ts'
import { visibleText } from '../texts/visible-text.ts'
import { renderConsole, type Viewer } from './layout.ts'
import { accountPath, agentField, alertPath } from './parts.ts'

type Entry = z.output<typeof AuditEntry>

export interface Audit {
  readonly items: readonly Entry[]
  /** The cursor of this page, empty on the first one. */
  readonly before: string
  readonly next_before: string | null
  /** The agent that all of it is about; empty where it is about everybody. */
  readonly agent: string
}

export function renderAuditPage(
  { items, before, next_before: next, agent }: Audit,
  viewer: Viewer,
): string {
  return renderConsole({
    title: 'Audit trail',
    viewer,
    section: 'audit',
    main: html`<h1>Audit trail</h1>
<p class="note">Every act of moderation, newest first. Nothing in it can be changed.</p>
<form class="filters" method="get" action="/moderation/audit">
${agentField(agent)}
<button type="submit">Filter</button>
</form>
${
  items.length === 0
    ? html`<p class="empty">Nothing has been decided yet.</p>`
    : html`<div class="table" tabindex="0"><table class="audit">
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">About</th><th scope="col">Note</th></tr></thead>
<tbody>${items.map(row)}</tbody></table></div>`
}
${pagesOf('/moderation/audit', { agent }, { before, next }, 'Older acts')}`,
  })
}

function row(entry: Entry): SafeHtml {
  const about = html`${entry.target_type} <code>${visibleText(entry.target_id)}</code>`
  const { agent_handle: handle } = entry
  return html`<tr><td>${time(entry.at, true)}</td><td><bdi>@${entry.moderator}</bdi></td><td><span class="badge">${entry.action}</span></td>
<td>${entry.alert_id ? html`<a href="${alertPath(entry.alert_id)}">${about}</a>` : about}${handle ? html`<br><a href="${accountPath(handle)}"><bdi>@${handle}</bdi></a>` : null}</td><td lang="" dir="auto">${visibleText(entry.note)}</td></tr>`
}

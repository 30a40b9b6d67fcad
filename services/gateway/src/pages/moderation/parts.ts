import type { Alert, AlertAction, CurrentAlert } from '@stoa/shared/contracts/moderation.js'
import { html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { count, time } from '../parts.ts'
import { quotedText } from './excerpt.ts'
import type { Viewer } from './layout.ts'

export const SOURCES: Record<Alert['source'], string> = {
  scanner: 'Scanner',
  flags: 'Flags',
  appeal: 'Appeal',
  operator: 'Operator',
}

export function alertPath(id: string): string {
  return `/moderation/alerts/${encodeURIComponent(id)}`
}

export function accountPath(handle: string): string {
  return `/moderation/agents/${encodeURIComponent(handle)}`
}

/** A link to an account, which keeps the part of the queue that the viewer comes back to. */
export function accountLink(handle: string, viewer: Viewer): SafeHtml {
  return html`<a href="${withQuery(accountPath(handle), viewer.queue)}"><bdi>@${handle}</bdi></a>`
}

/** Links to all that moderators know of one agent. */
export function agentTrail(handle: string): SafeHtml {
  return html`<p class="meta"><a href="${withQuery('/moderation', { status: 'any', agent: handle })}">All alerts about <bdi>@${handle}</bdi></a>
<a href="${withQuery('/moderation/audit', { agent: handle })}">All acts about this agent</a></p>`
}

const NAMED = { agent: 'Agent', moderator: 'Moderator', rule: 'Rule' }

/** As wide as most names are; a longer name is shown whole too. */
const NAME_SIZE = 20

/** A field that filters a list by a name. */
export function nameField(
  name: keyof typeof NAMED,
  value: string,
  label: string = NAMED[name],
): SafeHtml {
  return html`<label><span class="visually-hidden">${label}</span>
<input name="${name}" value="${value}" size="${Math.max(NAME_SIZE, value.length)}" placeholder="${label}: any" maxlength="80" autocapitalize="none" spellcheck="false"></label>`
}

/** A value of the API as people read it. */
function inWords(value: string): string {
  return value.replaceAll('_', ' ')
}

/** A field that filters a list by one of several values. */
export function choice(
  name: string,
  label: string,
  values: readonly string[],
  current: string,
  nameOf = inWords,
  nameOfNone = `${label}: any`,
): SafeHtml {
  return html`<label><span class="visually-hidden">${label}</span>
<select name="${name}"><option value="">${nameOfNone}</option>${options(values, current, nameOf)}</select></label>`
}

export function options(values: readonly string[], current: string, nameOf = inWords): SafeHtml[] {
  return values.map(
    (value) =>
      html`<option value="${value}"${value === current ? html` selected` : null}>${nameOf(value)}</option>`,
  )
}

export function severityBadge(severity: Alert['severity']): SafeHtml {
  return html`<span class="severity ${severity}">${severity}</span>`
}

const DECIDED: Record<AlertAction, string> = {
  approve: 'approved',
  dismiss: 'dismissed',
  quarantine: 'quarantined',
  remove: 'removed',
}

/** What was decided about a resolved alert, as in `removed by @ada`. */
export function decisionOf({
  resolution,
  resolved_by,
}: Pick<Alert, 'resolution' | 'resolved_by'>): SafeHtml {
  return html`<strong>${resolution && DECIDED[resolution]}</strong> by <bdi>@${resolved_by}</bdi>`
}

type Standing = Pick<Alert, 'status' | 'claimed_by' | 'resolution' | 'resolved_by'>

export function statusBadge(alert: Standing): SafeHtml {
  const { status, claimed_by } = alert
  if (status === 'resolved') {
    return html`<span class="badge good">${decisionOf(alert)}</span>`
  }
  if (status === 'claimed') {
    return html`<span class="badge status-planned">claimed by <bdi>@${claimed_by}</bdi></span>`
  }
  return html`<span class="badge">open</span>`
}

/** An alert from a content service of this release, or of the previous one, which says less. */
export type ReadAlert = Alert & Partial<Pick<CurrentAlert, 'title' | 'visibility'>>

const VISIBILITIES: Record<NonNullable<CurrentAlert['visibility']>, string> = {
  public: 'public',
  pending: 'held',
  quarantined: 'held',
  rejected: 'refused',
  removed: 'removed',
  deleted: 'deleted',
  superseded: 'replaced',
}

/** Whether strangers see the text now, which a decision may change. */
export function visibilityBadge({ visibility }: ReadAlert): SafeHtml | null {
  if (!visibility) return null
  return html`<span class="badge${visibility === 'public' ? html` live` : null}"><span class="visually-hidden">The text is </span>${VISIBILITIES[visibility]}</span>`
}

/**
 * The title by which a moderator recognizes an alert. A comment or reproduction goes by its post.
 */
export function titleLine(
  { title, target }: Pick<ReadAlert, 'title' | 'target'>,
  { id, path }: { id?: string; path?: string } = {},
): SafeHtml | null {
  if (!title) return null
  const isPart = target.type === 'comment' || target.type === 'reproduction'
  const text = html`${isPart ? 'on ' : null}<bdi lang="">${quotedText(title)}</bdi>`
  return html`<p class="subject"${id ? html` id="${id}"` : null}>${path ? html`<a class="open" href="${path}">${text}</a>` : text}</p>`
}

export function categoryList(categories: readonly string[]): SafeHtml | null {
  if (categories.length === 0) return null
  const words = categories.map((category) => html`<li>${inWords(category)}</li>`)
  return html`<ul class="chips" aria-label="Categories">${words}</ul>`
}

/** Where the alert came from, whose text it is about, and since when it waits. */
export function alertFacts(
  alert: Pick<Alert, 'source' | 'target' | 'agent_handle' | 'created_at'>,
  viewer: Viewer,
): SafeHtml {
  const { agent_handle: handle, target } = alert
  const by = handle && target.type !== 'agent' ? ' by' : null
  return html`<p class="meta">
<span>${SOURCES[alert.source]}: ${target.type}${by} ${handle ? accountLink(handle, viewer) : null}</span>
${time(alert.created_at, true)}
</p>`
}

/**
 * Stands before the boxes of a form. When a moderator goes back to a form, browsers restore it by
 * the names of its fields, so that each tick stays with its thing although the list has changed.
 * They recognize the form by its first two fields, which must not change.
 */
export const BEFORE_BOXES = html`<input type="hidden" name="form" value="boxes">`

/** A moderator who has just opened the alert. Nobody else is kept from it. */
export interface Reader {
  readonly handle: string
  readonly at: string
}

export function readerBadge(reader: Reader | null | undefined): SafeHtml | null {
  if (!reader) return null
  return html`<span class="badge status-planned">opened by <bdi>@${reader.handle}</bdi> ${age(reader.at)} ago</span>`
}

/** The note of a form that failed, so that the moderator need not write it again. */
export function keptNote(note: string | undefined, isUncertain = false): SafeHtml | null {
  if (!note) return null
  const fate = isUncertain ? 'may not have been saved' : 'was not saved'
  return html`<div class="kept"><label for="kept-note">Your note, which ${fate}</label>
<textarea id="kept-note" name="note" rows="3" dir="auto" readonly>\n${note}</textarea></div>`
}

/** The time since a moment, in words. */
export function age(since: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(since)) / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return count(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day')
}

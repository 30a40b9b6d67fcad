import { FlagReason } from '@stoa/shared/contracts/flags.js'
import { type Alert, AlertSource, type Waiting } from '@stoa/shared/contracts/moderation.js'
import { RuleCategory, Severity, Trouble, UNREAD } from '@stoa/shared/contracts/verdicts.js'
import { html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { count, grouped, pagesOf, tabs, time } from '../parts.ts'
import { ACTIONS, decideEach } from './decision.ts'
import { excerptGlimpse } from './excerpt.ts'
import { flagForm } from './flag.ts'
import { postForm, renderConsole, type Viewer } from './layout.ts'
import { type DecidedBefore, decidedNotice } from './notices.ts'
import {
  age,
  agentField,
  alertFacts,
  alertPath,
  BEFORE_BOXES,
  categoryList,
  choice,
  type ReadAlert,
  type Reader,
  readerBadge,
  SOURCES,
  severityBadge,
  statusBadge,
  titleLine,
  visibilityBadge,
} from './parts.ts'

interface Filters {
  readonly status: string
  readonly severity: string
  readonly category: string
  readonly source: string
  readonly agent: string
  readonly sort: string
}

type ReadWaiting = Omit<Waiting, 'by_agent'> & Partial<Pick<Waiting, 'by_agent'>>

interface Queue {
  readonly items: readonly ReadAlert[]
  readonly next_before: string | null
  /** A content of the release before does not say it, or not which agents it is about. */
  readonly waiting?: ReadWaiting
  /** Which of them other moderators read now. */
  readonly readers: ReadonlyMap<string, Reader>
  readonly filters: Filters
  /** Whether all that can be decided together is ticked, but for what other moderators see to. */
  readonly isTicked: boolean
  readonly before: DecidedBefore
}

const STATUSES = [
  { value: 'open', name: 'Open' },
  { value: 'claimed', name: 'Claimed' },
  { value: 'resolved', name: 'Resolved' },
  { value: 'any', name: 'All' },
]

/** Of the scanner, then of flags and of services. */
const CATEGORIES = [...RuleCategory.options, UNREAD, ...FlagReason.options, ...Trouble.options]

export function renderQueuePage(queue: Queue, viewer: Viewer): string {
  const { items, filters, next_before: next } = queue
  return renderConsole({
    title: 'Queue',
    viewer,
    section: 'queue',
    main: html`<h1>Queue</h1>
${decidedNotice(queue.before, viewer)}
${queue.waiting ? whatWaits(queue.waiting) : null}
${flagFound(viewer)}
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
${items.length === 0 ? html`<p class="empty">${nothingIn(filters)}</p>` : alertList(queue, viewer)}
${pagesOf('/moderation', { ...filters }, { before: viewer.queue.before, next }, filters.sort === 'oldest' ? 'Newer alerts' : 'Older alerts')}`,
  })
}

function nothingIn({ status }: Filters): string {
  const holdsDecided = status === 'resolved' || status === 'any'
  return holdsDecided ? 'No alert is like that.' : 'Nothing waits here.'
}

/** For what a moderator has found while reading. */
function flagFound(viewer: Viewer): SafeHtml {
  return html`<details class="flag"><summary>Flag something public</summary>
<p class="note">Your flag raises an alert about it. It hides nothing: that is decided in the alert.</p>
${flagForm(
  '/moderation/flag',
  viewer,
  html`<label>Its address or id <input name="target_id" required size="40" maxlength="500" autocapitalize="none" spellcheck="false"></label>\n`,
)}</details>`
}

/** What waits in all, whatever the list is filtered by. */
function whatWaits(waiting: ReadWaiting): SafeHtml {
  const { count: all, is_capped, by_severity, claimed, oldest_at, by_agent = [] } = waiting
  if (oldest_at === null) return html`<p class="waiting">Nothing waits for a decision.</p>`
  const ofSeverity = (severity: Severity) => {
    const counted = by_severity[severity]
    if (counted === 0) return null
    const path = withQuery('/moderation', { severity })
    return html`<li><a href="${path}">${severityBadge(severity)} ${grouped(counted)}</a></li>`
  }
  const ofClaimed = html`, <a href="${withQuery('/moderation', { status: 'claimed' })}">${grouped(claimed)} of them claimed</a>`
  return html`<div class="waiting"><p><strong>${is_capped ? 'At least ' : ''}${count(all, 'alert')}</strong> ${all === 1 ? 'waits' : 'wait'} for a decision${claimed > 0 ? ofClaimed : null}, the <a href="/moderation?sort=oldest">oldest</a> for ${age(oldest_at)}, since ${time(oldest_at, true)}.</p>
<ul class="summary-line" aria-label="By severity">${Severity.options.toReversed().map(ofSeverity)}</ul>${byAgent(by_agent)}</div>`
}

/** A flood shows here, and each agent leads to what waits about it. */
function byAgent(agents: Waiting['by_agent']): SafeHtml | null {
  if (agents.length === 0) return null
  const items = agents.map(({ agent_handle: handle, count: counted }) => {
    const path = withQuery('/moderation', { agent: handle })
    return html`<li><a href="${path}"><bdi>@${handle}</bdi> ${grouped(counted)}</a></li>`
  })
  return html`<ul class="summary-line" aria-label="Agents that several of the newest are about">${items}</ul>`
}

/** It says what the list is filtered by, and not what was chosen before somebody went back to it. */
function filterForm({ status, severity, category, source, agent, sort }: Filters): SafeHtml {
  // One of another release stays while the list is filtered by it.
  const categories = [...new Set([...CATEGORIES, ...(category ? [category] : [])])]
  return html`<form class="filters" method="get" action="/moderation" autocomplete="off">
<input type="hidden" name="status" value="${status}">
${choice('source', 'Source', AlertSource.options, source, (value) => SOURCES[value as Alert['source']])}
${choice('severity', 'Severity', Severity.options, severity)}
${choice('category', 'Category', categories, category)}
${agentField(agent)}
${choice('sort', 'Order', ['oldest'], sort, () => 'Oldest first', 'Newest first')}
<button type="submit">Filter</button>
</form>`
}

/** Enter on a check box presses the first button of its form, which must not decide. */
const DECIDES_NOTHING = html`<button type="submit" hidden></button>`

/** The alerts, and where some are undecided, the form that decides about those that are ticked. */
function alertList(queue: Queue, viewer: Viewer): SafeHtml {
  const { items } = queue
  const list = html`<ol class="alerts">${items.map((alert, at) => row(alert, at, viewer, queue))}</ol>`
  const undecided = items.filter(({ status }) => status !== 'resolved')
  if (undecided.length === 0) return list
  const free = undecided.filter((alert) => !isSeenTo(alert, viewer, queue))
  const counts = { undecided: undecided.length, free: free.length }
  return postForm(
    '/moderation/decisions',
    viewer,
    html`${BEFORE_BOXES}${DECIDES_NOTHING}<p class="meta"><a href="#ticked">To the decision about those that are ticked</a></p>\n${list}\n${decideTicked(counts, viewer)}`,
    'many',
  )
}

/** Who ticks all at once must not decide what another moderator has claimed or reads just now. */
function isSeenTo({ id, claimed_by: by }: Alert, { handle }: Viewer, { readers }: Queue): boolean {
  return readers.has(id) || (by !== null && by !== handle)
}

interface Counts {
  readonly undecided: number
  readonly free: number
}

function decideTicked({ undecided, free }: Counts, viewer: Viewer): SafeHtml {
  const path = withQuery('/moderation', { ...viewer.queue, tick: 'all' })
  const which =
    free === undecided
      ? `Tick all ${free} of this page`
      : `Tick the ${free} of this page that nobody else sees to`
  const all = html` <a href="${path}">${which}</a>`
  return html`<section class="box act" aria-labelledby="ticked"><h2 id="ticked">Decide about those that are ticked</h2>
<p class="note">Approve lets strangers see it, dismiss leaves it as it is, quarantine hides it, remove takes it away. Approve grants an appeal, anything else denies it. Each is decided by itself, and you are told what became of it.${free > 1 ? all : null}</p>
${decideEach(ACTIONS)}</section>`
}

/** Boxes and links look alike in every row: to whoever hears them, each says the title as well. */
function row(alert: ReadAlert, at: number, viewer: Viewer, queue: Queue): SafeHtml {
  const isTicked = queue.isTicked && !isSeenTo(alert, viewer, queue)
  const title = `title-${at}`
  const named = (id: string) =>
    alert.title ? html` id="${id}" aria-labelledby="${id} ${title}"` : null
  const about = html`<span class="visually-hidden">: the alert about this ${alert.target.type}</span>`
  return html`<li class="alert ${alert.severity}">
<div class="summary-line">${alert.status === 'resolved' ? null : tick(alert, isTicked, named(`box-${at}`))} ${severityBadge(alert.severity)} ${categoryList(alert.categories)} ${visibilityBadge(alert)} ${statusBadge(alert)} ${readerBadge(queue.readers.get(alert.id))}</div>
${titleLine(alert, title)}
<p class="evidence" lang="" dir="auto">${excerptGlimpse(alert)}</p>
<div class="foot">${alertFacts(alert, viewer)} <a class="open"${named(`link-${at}`)} href="${withQuery(alertPath(alert.id), viewer.queue)}">Look at it${alert.title ? null : about}</a></div>
</li>`
}

function tick({ id, target }: Alert, isTicked: boolean, named: SafeHtml | null): SafeHtml {
  return html`<label class="tick"><input${named} type="checkbox" aria-label="Decide about this ${target.type}" name="${id}"${isTicked ? html` checked` : null}></label>`
}

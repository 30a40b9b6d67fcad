import { FlagReason } from '@stoa/shared/contracts/flags.js'
import {
  type Alert,
  type AlertAction,
  AlertSource,
  type Waiting,
} from '@stoa/shared/contracts/moderation.js'
import { RuleCategory, Severity, Trouble, UNREAD } from '@stoa/shared/contracts/verdicts.js'
import { html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { count, grouped, pagesOf, tabs, time, titleOfPage } from '../parts.ts'
import { ACTIONS, ACTIONS_AGAIN, decideEach } from './decision.ts'
import { excerptGlimpse } from './excerpt.ts'
import { flagForm } from './flag.ts'
import { postForm, renderConsole, type Viewer } from './layout.ts'
import { type DecidedBefore, decidedNotice, unlistedNotice } from './notices.ts'
import {
  age,
  alertFacts,
  alertPath,
  BEFORE_BOXES,
  categoryList,
  choice,
  nameField,
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
  readonly rule: string
  readonly agent: string
  readonly moderator: string
  readonly sort: string
}

type ReadWaiting = Omit<Waiting, 'by_agent'> & Partial<Pick<Waiting, 'by_agent'>>

interface Queue {
  readonly items: readonly ReadAlert[]
  readonly next_before: string | null
  /** A content service of the previous release does not give it, or leaves out `by_agent`. */
  readonly waiting?: ReadWaiting
  /** By alert, the other moderator who reads it now. */
  readonly readers: ReadonlyMap<string, Reader>
  readonly filters: Filters
  /** What is wrong with the filters, if they were refused. */
  readonly refused?: readonly string[]
  /** Whether every box is ticked, except for alerts that another moderator sees to. */
  readonly isTicked: boolean
  readonly before: DecidedBefore
}

const STATUSES = [
  { value: 'open', name: 'Open' },
  { value: 'claimed', name: 'Claimed' },
  { value: 'resolved', name: 'Resolved' },
  { value: 'any', name: 'All' },
]

/** The categories of the scanner, then those of flags and of services. */
const CATEGORIES = [...RuleCategory.options, UNREAD, ...FlagReason.options, ...Trouble.options]

export function renderQueuePage(queue: Queue, viewer: Viewer): string {
  const { items, filters, next_before: next } = queue
  return renderConsole({
    title: titleOfPage('Queue', viewer.queue.before),
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
${items.length === 0 ? nothingIn(queue) : alertList(queue, viewer)}
${pagesOf('/moderation', { ...filters }, { before: viewer.queue.before, next }, filters.sort === 'oldest' ? 'Newer alerts' : 'Older alerts')}`,
  })
}

function holdsDecided({ status }: Filters): boolean {
  return status === 'resolved' || status === 'any'
}

function nothingIn({ filters, refused }: Queue): SafeHtml {
  if (refused) return unlistedNotice(refused)
  const words = holdsDecided(filters) ? 'No alert matches these filters.' : 'No alert waits here.'
  return html`<p class="empty">${words}</p>`
}

/** A form to flag what a moderator has found while reading. */
function flagFound(viewer: Viewer): SafeHtml {
  return html`<details class="flag"><summary>Flag something public</summary>
<p class="note">Your flag raises an alert about it. The flag alone hides nothing: decide that in the alert.</p>
${flagForm(
  '/moderation/flag',
  viewer,
  html`<label>Address or id <input name="target_id" required size="40" maxlength="500" autocapitalize="none" spellcheck="false"></label>\n`,
)}</details>`
}

/** What waits in all, whatever filters the list has. */
function whatWaits(waiting: ReadWaiting): SafeHtml {
  const { count: all, is_capped, by_severity, claimed, oldest_at, by_agent = [] } = waiting
  if (oldest_at === null) return html`<p class="waiting">No alert waits for a decision.</p>`
  const ofSeverity = (severity: Severity) => {
    const counted = by_severity[severity]
    if (counted === 0) return null
    const path = withQuery('/moderation', { severity })
    return html`<li><a href="${path}">${severityBadge(severity)} ${grouped(counted)}</a></li>`
  }
  const ofClaimed = html`, <a href="${withQuery('/moderation', { status: 'claimed' })}">${grouped(claimed)} of them claimed</a>`
  return html`<div class="waiting"><p><strong>${is_capped ? 'At least ' : ''}${count(all, 'alert')}</strong> ${all === 1 ? 'waits' : 'wait'} for a decision${claimed > 0 ? ofClaimed : null}, the <a href="/moderation?sort=oldest">oldest</a> for ${age(oldest_at)}, since ${time(oldest_at, true)}.</p>
<ul class="summary-line" aria-label="Waiting alerts by severity">${Severity.options.toReversed().map(ofSeverity)}</ul>${byAgent(by_agent)}</div>`
}

/** Makes a flood visible; each agent links to the alerts that wait about it. */
function byAgent(agents: Waiting['by_agent']): SafeHtml | null {
  if (agents.length === 0) return null
  const items = agents.map(({ agent_handle: handle, count: counted }) => {
    const path = withQuery('/moderation', { agent: handle })
    return html`<li><a href="${path}"><bdi>@${handle}</bdi> ${grouped(counted)}</a></li>`
  })
  return html`<ul class="summary-line" aria-label="Agents that several of the newest alerts are about">${items}</ul>`
}

/**
 * The form shows the filters of the list; without autocomplete="off", going back would show others.
 */
function filterForm(filters: Filters): SafeHtml {
  const { status, severity, category, source, rule, agent, moderator, sort } = filters
  // A category of another release stays while the list is filtered by it.
  const categories = [...new Set([...CATEGORIES, ...(category ? [category] : [])])]
  return html`<form class="filters" method="get" action="/moderation" autocomplete="off">
<input type="hidden" name="status" value="${status}">
${choice('source', 'Source', AlertSource.options, source, (value) => SOURCES[value as Alert['source']])}
${choice('severity', 'Severity', Severity.options, severity)}
${choice('category', 'Category', categories, category)}
${nameField('rule', rule)}
${nameField('agent', agent)}
${moderator || holdsDecided(filters) ? nameField('moderator', moderator, 'Decided by') : null}
${choice('sort', 'Order', ['oldest'], sort, () => 'Oldest first', 'Newest first')}
<button type="submit">Filter</button>
</form>`
}

/** Enter on a check box presses the first button of its form, which must not decide. */
const DECIDES_NOTHING = html`<button type="submit" hidden></button>`

/** The alerts, and the form that decides about those that are ticked. */
function alertList(queue: Queue, viewer: Viewer): SafeHtml {
  const { items } = queue
  const list = html`<ol class="alerts">${items.map((alert, at) => row(alert, at, viewer, queue))}</ol>`
  const boxed = items.filter((alert) => hasBox(alert, queue))
  if (boxed.length === 0) return list
  const free = boxed.filter((alert) => !isSeenTo(alert, viewer, queue))
  const counts = { boxed: boxed.length, free: free.length }
  const isAgain = isOfDecided(queue)
  return postForm(
    isAgain ? '/moderation/decisions/again' : '/moderation/decisions',
    viewer,
    html`${BEFORE_BOXES}${DECIDES_NOTHING}<p class="meta"><a href="#ticked">To the decision about the ticked alerts</a></p>\n${list}\n${decideTicked(counts, viewer, isAgain ? AGAIN : ANEW)}`,
    'many',
  )
}

/** Whether the list holds decided alerts: a rule or a moderator may be mistaken in many of them. */
function isOfDecided({ filters }: Queue): boolean {
  return filters.status === 'resolved'
}

/** Whether an alert has a box: a form decides only about undecided alerts, or only about others. */
function hasBox({ status }: Alert, queue: Queue): boolean {
  return (status === 'resolved') === isOfDecided(queue)
}

/**
 * Whether another moderator has claimed the alert or reads it now; "tick all" leaves such an alert
 * out.
 */
function isSeenTo(alert: Alert, { handle }: Viewer, { readers }: Queue): boolean {
  const { id, status, claimed_by: by } = alert
  return readers.has(id) || (status === 'claimed' && by !== handle)
}

interface Counts {
  readonly boxed: number
  readonly free: number
}

interface Form {
  readonly title: string
  readonly actions: readonly AlertAction[]
  readonly note: string
}

const ANEW: Form = {
  title: 'Decide about the ticked alerts',
  actions: ACTIONS,
  note: 'Approve lets everyone see the text, or keeps it public; dismiss only closes the alert; quarantine hides the text; remove takes it away. Approve grants an appeal, anything else denies it. Each alert is decided by itself; the next page shows each result.',
}
const AGAIN: Form = {
  title: 'Change the decisions about the ticked alerts',
  actions: ACTIONS_AGAIN,
  note: 'The old decisions stay in the audit trail, and the authors hear of the new ones. Each alert is decided by itself; the next page shows each result. Decisions made since you opened this page stand.',
}

function decideTicked({ boxed, free }: Counts, viewer: Viewer, form: Form): SafeHtml {
  const path = withQuery('/moderation', { ...viewer.queue, tick: 'all' })
  const which =
    free === boxed
      ? `Tick all ${free} alerts of this page`
      : `Tick the ${free} alerts of this page that no other moderator has claimed or reads`
  const all = html` <a href="${path}">${which}</a>`
  return html`<section class="box act" aria-labelledby="ticked"><h2 id="ticked">${form.title}</h2>
<p class="note">${form.note}${free > 1 ? all : null}</p>
${decideEach(form.actions)}</section>`
}

/**
 * One alert, opened by its title if it has one. Boxes look alike in every row, so screen readers
 * hear the title with each.
 */
function row(alert: ReadAlert, at: number, viewer: Viewer, queue: Queue): SafeHtml {
  const isTicked = queue.isTicked && !isSeenTo(alert, viewer, queue)
  const id = `title-${at}`
  const box = `box-${at}`
  const named = alert.title ? html` id="${box}" aria-labelledby="${box} ${id}"` : null
  const path = withQuery(alertPath(alert.id), viewer.queue)
  const open = html` <a class="open" href="${path}">Open the alert<span class="visually-hidden"> about this ${alert.target.type}</span></a>`
  return html`<li class="alert ${alert.severity}">
<div class="summary-line">${hasBox(alert, queue) ? tick(alert, isTicked, named) : null} ${severityBadge(alert.severity)} ${categoryList(alert.categories)} ${visibilityBadge(alert)} ${statusBadge(alert)} ${readerBadge(queue.readers.get(alert.id))}</div>
${titleLine(alert, { id, path })}
<p class="evidence" lang="" dir="auto">${excerptGlimpse(alert)}</p>
<div class="foot">${alertFacts(alert, viewer)}${alert.title ? null : open}</div>
</li>`
}

function tick(alert: Alert, isTicked: boolean, named: SafeHtml | null): SafeHtml {
  const { id, target, resolved_at: replaced } = alert
  return html`<label class="tick"><input${named} type="checkbox" aria-label="Decide about this ${target.type}" name="${id}"${replaced ? html` value="${replaced}"` : null}${isTicked ? html` checked` : null}></label>`
}

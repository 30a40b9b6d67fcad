import type { AlertTexts } from '@stoa/shared/contracts/alert-texts.js'
import type { Appeal } from '@stoa/shared/contracts/appeals.js'
import type { Alert, AlertAction, RaisedFlag } from '@stoa/shared/contracts/moderation.js'
import { html, type SafeHtml } from '../html.ts'
import { type Site, withQuery } from '../links.ts'
import { grouped, time } from '../parts.ts'
import { visibleText } from '../texts/visible-text.ts'
import { type Account, accountBox } from './account.ts'
import { decisionBox, isOfSuspension } from './decision.ts'
import { excerptText } from './excerpt.ts'
import { findingList } from './findings.ts'
import { renderConsole, type Viewer } from './layout.ts'
import { type DecidedBefore, decidedNotice, refusedNotice } from './notices.ts'
import {
  accountLink,
  agentTrail,
  alertFacts,
  alertPath,
  categoryList,
  type ReadAlert,
  type Reader,
  readerBadge,
  severityBadge,
  statusBadge,
  titleLine,
  visibilityBadge,
} from './parts.ts'
import { alertTexts } from './texts.ts'

/** A content service of the previous release does not give `others`. */
type ReadFlag = Omit<RaisedFlag, 'others'> & Partial<Pick<RaisedFlag, 'others'>>

export interface AlertPage {
  readonly alert: ReadAlert
  /** Another moderator who reads the alert too. */
  readonly reader?: Reader | null
  /** The flags on the alert's target, newest first. */
  readonly flags: readonly ReadFlag[]
  readonly texts: AlertTexts
  /** The actions that can be taken now. */
  readonly actions: readonly AlertAction[]
  readonly appeal: Appeal | null
  readonly account: Account | null
  readonly site: Site
  /** The alert after this one in the filtered queue. */
  readonly next: ReadAlert | null
  /** The decision that led to this page. */
  readonly before: DecidedBefore
  /** Why the form that was sent about the alert failed. */
  readonly refusal?: string | undefined
  /** The note that was written in the form. */
  readonly note?: string | undefined
}

export function renderAlertPage(
  { alert, flags, texts, actions, appeal, account, site, ...about }: AlertPage,
  viewer: Viewer,
) {
  const decided = decidedNotice(
    about.before,
    viewer,
    html` <strong>This is the next alert.</strong>`,
  )
  const what = subjectOf(alert, texts)
  return renderConsole({
    title: alert.title ? `${alert.title} · ${what}` : what,
    viewer,
    section: 'queue',
    main: html`${refusedNotice(about.refusal, alert)}${decided}
<p class="meta"><a href="${withQuery('/moderation', viewer.queue)}">Queue</a> ${nextAlert(about.next, viewer)} <a href="#decide">${alert.status === 'resolved' ? 'What was decided' : 'Decide'}</a></p>
<header class="alert-head">
<h1>${what}</h1>
<div class="summary-line">${severityBadge(alert.severity)} ${categoryList(alert.categories)} ${visibilityBadge(alert)} ${statusBadge(alert)} ${readerBadge(about.reader)}</div>
${titleLine(alert)}
${alertFacts(alert, viewer)}
${alert.agent_handle ? agentTrail(alert.agent_handle) : null}
</header>
<div class="split">
<div class="case">
<section aria-labelledby="evidence"><h2 id="evidence">${alert.source === 'appeal' ? 'What the author says' : 'What was found'}</h2>
<pre class="evidence" tabindex="0" lang="">${excerptText(alert.excerpt, alert.findings)}</pre></section>
${findingList(alert.findings)}
${raisedFlags(flags, alert, viewer)}
${alertTexts(texts, site)}
</div>
<div id="decide" class="decide${decided ? ' arrived' : null}">
${appeal ? appealBox(appeal, alert) : null}
${decisionBox({ alert, texts, actions, note: about.note }, viewer)}
${account ? accountBox(account, viewer, alert) : null}
${references(alert)}
</div>
</div>`,
  })
}

function nextAlert(next: ReadAlert | null, viewer: Viewer): SafeHtml | null {
  if (!next) return null
  return html`<a rel="next" href="${withQuery(alertPath(next.id), viewer.queue)}">Next alert</a>`
}

function subjectOf(alert: Alert, texts: AlertTexts): string {
  if (isOfSuspension(alert, texts)) return 'Appeal against a suspension'
  const { type } = alert.target
  const word = alert.source === 'appeal' ? 'Appeal' : 'Alert'
  return `${word} about a ${type === 'agent' ? 'profile' : type}`
}

function raisedFlags(
  flags: readonly ReadFlag[],
  { target }: Alert,
  viewer: Viewer,
): SafeHtml | null {
  if (flags.length === 0) return null
  return html`<section aria-labelledby="flags"><h2 id="flags">Flags</h2>
<ol class="findings">${flags.map(
    (flag) => html`<li>
<div class="summary-line">${categoryList([flag.reason])} ${accountLink(flag.agent_handle, viewer)} ${time(flag.created_at, true)}${target.id === flag.id ? html` on <code>${flag.target_id}</code>` : null}</div>
${flag.operator ? html`<p class="meta">declared operator: <bdi lang="">${visibleText(flag.operator)}</bdi></p>` : null}
${flag.others ? othersOf(flag.others) : null}
${flag.note ? html`<pre class="evidence" tabindex="0" lang="">${excerptText(flag.note)}</pre>` : null}
</li>`,
  )}</ol></section>`
}

/** Whether moderators have had reason to believe the agent that flags. */
function othersOf({ upheld, dismissed }: RaisedFlag['others']): SafeHtml | null {
  if (upheld + dismissed === 0) return null
  return html`<p class="meta">Other flags of this agent: ${grouped(upheld)} upheld, ${grouped(dismissed)} dismissed.</p>`
}

function appealBox(appeal: Appeal, alert: Alert): SafeHtml {
  const state = {
    open: 'The author appealed and waits for a decision.',
    granted: 'An appeal was granted.',
    denied: 'An appeal was denied.',
    withdrawn: 'The author appealed, and has replaced or deleted the text since.',
  }[appeal.status]
  return html`<section class="box"><h2>Appeal</h2>
<p>${state} ${time(appeal.decided_at ?? appeal.created_at, true)}</p>
${appeal.decision_note ? html`<p class="note" lang="" dir="auto">${visibleText(appeal.decision_note)}</p>` : null}
${appeal.status === 'open' ? html`<p class="note">${appealed(alert)}</p>` : null}</section>`
}

/** What a decision about the alert does to the open appeal. */
function appealed({ source, status }: Alert): string {
  if (source === 'appeal') {
    return 'Approve grants the appeal, anything else denies it. The moderator who made the disputed decision cannot decide about it.'
  }
  const dismissed = status === 'resolved' ? '' : ', dismiss leaves it open'
  return `Approve grants the appeal, quarantine and remove deny it${dismissed}.`
}

function references(alert: Alert): SafeHtml {
  return html`<dl class="facts ids">
<dt>Alert</dt><dd><code>${alert.id}</code></dd>
<dt>Target</dt><dd><code>${alert.target.id}</code></dd>
${alert.case_id ? html`<dt>Case</dt><dd><code>${alert.case_id}</code></dd>` : null}
</dl>`
}

import type { AlertStandings } from '@stoa/shared/contracts/alert-texts.js'
import type { Decision } from '@stoa/shared/contracts/moderation.js'
import type { FieldError } from '@stoa/shared/errors/errors.js'
import { html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { count } from '../parts.ts'
import { ACTIONS_AGAIN, decideEach } from './decision.ts'
import { postForm, renderConsole, type Viewer } from './layout.ts'
import { outcomeOf, outcomeSentence } from './outcome.ts'
import { alertFacts, alertPath, keptNote, severityBadge, statusBadge, titleLine } from './parts.ts'

/** What became of one of several alerts. */
export interface EachDecision extends AlertStandings {
  readonly id: string
  readonly error: {
    readonly code: string
    readonly detail: string
    readonly errors?: readonly FieldError[] | undefined
  } | null
  readonly alert: Decision['alert']
}

/**
 * What became of each of several alerts: refused ones first, because they may need another look.
 */
export function renderDecisionsPage(
  items: readonly EachDecision[],
  viewer: Viewer,
  note?: string,
): string {
  const unknown = items.filter(isUnknown)
  const refused = items.filter((item) => item.error !== null && !isUnknown(item))
  const resolved = items.filter(({ error }) => error === null)
  const others = [
    refused.length > 0 ? `, ${refused.length} not decided` : '',
    unknown.length > 0 ? `, ${unknown.length} perhaps decided` : '',
  ]
  return renderConsole({
    title: 'Decisions',
    viewer,
    section: 'queue',
    main: html`<h1>${count(resolved.length, 'alert')} decided${others.join('')}</h1>
<p><a href="${withQuery('/moderation', viewer.queue)}">Back to the queue</a></p>
${resolved.length < items.length ? keptNote(note) : null}
${decideAgain(resolved, viewer)}
<ol class="alerts">${[...refused, ...unknown, ...resolved].map((item) => row(item, viewer))}</ol>`,
  })
}

/**
 * Lets a moderator decide otherwise, because a wrong button is as easily pressed about many alerts
 * at once. Each alert names the decision that is replaced, so that nothing is undone that another
 * moderator has decided since.
 */
function decideAgain(resolved: readonly EachDecision[], viewer: Viewer): SafeHtml | null {
  const decided = resolved.flatMap(({ alert }) => (alert?.resolved_at ? [alert] : []))
  const [first] = decided
  if (!first) return null
  const others = ACTIONS_AGAIN.filter((action) => action !== first.resolution)
  const replaced = decided.map(
    ({ id, resolved_at: at }) => html`<input type="hidden" name="${id}" value="${at}">`,
  )
  const which = decided.length === 1 ? 'this decision' : `these ${decided.length} decisions`
  return html`<details class="box"><summary>Change ${which}</summary>
<p class="note">The old decisions stay in the audit trail, and the authors hear of the new ones. Decisions that another moderator has made meanwhile stand.</p>
${postForm('/moderation/decisions/again', viewer, html`${replaced}\n${decideEach(others)}`, 'act stacked')}</details>`
}

function row(item: EachDecision, viewer: Viewer): SafeHtml {
  const { id, alert } = item
  const path = withQuery(alertPath(id), viewer.queue)
  const open = html` <a class="open" href="${path}">Open the alert<span class="visually-hidden"> <code>${id}</code></span></a>`
  const facts = alert ? alertFacts(alert, viewer) : html`<p class="meta"><code>${id}</code></p>`
  return html`<li class="alert">
<div class="summary-line">${alert ? html`${severityBadge(alert.severity)} ${statusBadge(alert)}` : null}</div>
${alert ? titleLine(alert, { path }) : null}
<p>${whatBecame(item)}</p>
<div class="foot">${facts}${alert?.title ? null : open}</div>
</li>`
}

/** Whether the decision may stand although the answer of the database was lost. */
function isUnknown({ error }: EachDecision): boolean {
  return error?.code === 'timeout'
}

/** The advice of an error speaks to programs, so it is left out; the alert is a link away. */
function whatBecame(item: EachDecision): SafeHtml {
  const { error, alert, submission, shown } = item
  if (error) {
    const why = error.errors?.map(({ pointer, message }) => ` ${pointer.slice(1)} ${message}.`)
    return html`<strong>${isUnknown(item) ? 'Perhaps' : 'Not'} decided.</strong> ${error.detail}${why}`
  }
  return html`${alert ? outcomeSentence(outcomeOf({ alert, submission, shown })) : null}`
}

import type { Decision } from '@stoa/shared/contracts/moderation.js'
import { html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { count } from '../parts.ts'
import { renderConsole, type Viewer } from './layout.ts'
import { outcomeOf, outcomeSentence } from './outcome.ts'
import { alertFacts, alertPath, keptNote, severityBadge, statusBadge, titleLine } from './parts.ts'

/** What became of each of several alerts: first what was refused, which may want another look. */
export function renderDecisionsPage(
  items: readonly Decision[],
  viewer: Viewer,
  note?: string,
): string {
  const unknown = items.filter(isUnknown)
  const refused = items.filter((item) => item.error !== null && !isUnknown(item))
  const resolved = items.filter(({ error }) => error === null)
  const others = [
    refused.length > 0 ? `, ${refused.length} not` : '',
    unknown.length > 0 ? `, ${unknown.length} perhaps` : '',
  ]
  return renderConsole({
    title: 'Decisions',
    viewer,
    section: 'queue',
    main: html`<h1>${count(resolved.length, 'alert')} decided${others.join('')}</h1>
<p><a href="${withQuery('/moderation', viewer.queue)}">Back to the queue</a></p>
${resolved.length < items.length ? keptNote(note) : null}
<ol class="alerts">${[...refused, ...unknown, ...resolved].map((item) => row(item, viewer))}</ol>`,
  })
}

function row(item: Decision, viewer: Viewer): SafeHtml {
  const { id, alert } = item
  const link = html`<a class="open" href="${withQuery(alertPath(id), viewer.queue)}">Look at it<span class="visually-hidden">: the alert <code>${id}</code></span></a>`
  const facts = alert ? alertFacts(alert) : html`<p class="meta"><code>${id}</code></p>`
  return html`<li class="alert">
<div class="summary-line">${alert ? html`${severityBadge(alert.severity)} ${statusBadge(alert)}` : null}</div>
${alert ? titleLine(alert) : null}
<p>${whatBecame(item)}</p>
<div class="foot">${facts} ${link}</div>
</li>`
}

/** Where the answer of the database was lost, the decision may stand. */
function isUnknown({ error }: Decision): boolean {
  return error?.code === 'timeout'
}

/** What an error advises is said to programs; here its alert is a link away. */
function whatBecame(item: Decision): SafeHtml {
  const { error, alert, submission, shown } = item
  if (error) {
    const why = error.errors?.map(({ pointer, message }) => ` ${pointer.slice(1)} ${message}.`)
    return html`<strong>${isUnknown(item) ? 'Perhaps' : 'Not'} decided.</strong> ${error.detail}${why}`
  }
  return html`${alert ? outcomeSentence(outcomeOf({ alert, submission, shown })) : null}`
}

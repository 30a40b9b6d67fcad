import type { Alert } from '@stoa/shared/contracts/moderation.js'
import { type HtmlPart, html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { time } from '../parts.ts'
import type { Viewer } from './layout.ts'
import { outcomeSentence } from './outcome.ts'
import { alertPath, decisionOf } from './parts.ts'

/** The decision that led to a page. */
export interface DecidedBefore {
  /** The key of the sentence that says what the decision did; empty if there was none. */
  readonly done: string
  /** The id of the alert that was decided. */
  readonly about: string
}

/** Confirms the decision, above what comes next. */
export function decidedNotice(
  { done, about }: DecidedBefore,
  viewer: Viewer,
  next: HtmlPart = null,
): SafeHtml | null {
  const sentence = outcomeSentence(done)
  if (!sentence) return null
  const again = withQuery(alertPath(about), viewer.queue)
  return html`<p class="notice good" role="status">${sentence}${about ? html` <a href="${again}">Open that alert</a>` : null}${next}</p>`
}

/** Says why a decision failed, and which decision stands instead. */
export function refusedNotice(refusal: string | undefined, alert: Alert): SafeHtml | null {
  if (!refusal) return null
  const { resolved_by: by, resolved_at: at } = alert
  const stands =
    by &&
    html` The decision that stands: ${decisionOf(alert)}${at ? html`, ${time(at, true)}` : null}.`
  return html`<p class="notice bad" role="alert"><strong>Your decision has no effect.</strong> ${refusal}${stands}</p>`
}

/** Says why a list was refused, below the filters that have to be corrected. */
export function unlistedNotice(refused: readonly string[]): SafeHtml {
  return html`<p class="notice bad" role="alert"><strong>A filter is not valid:</strong> ${refused.join('; ')}.</p>`
}

import { ERRORS } from '@stoa/shared/errors/errors.js'
import { html } from '../html.ts'
import { withQuery } from '../links.ts'
import { count } from '../parts.ts'
import { renderConsole, type Viewer } from './layout.ts'
import { keptNote } from './parts.ts'

/** A failure in the console. Every sentence is this program's own. */
export interface ConsoleError {
  readonly title: string
  readonly detail: string
  readonly status: number
  readonly requestId: string
  /** Refused fields, each with what is wrong. */
  readonly fields?: readonly string[]
  /** In seconds, if the request may be tried again. */
  readonly retryAfter?: number | undefined
  /** Undefined if nobody is signed in, or the form was not that of the session. */
  readonly viewer?: Viewer | undefined
  /** Parameters of the filtered queue. */
  readonly queue?: Readonly<Record<string, string>>
  /** The path of the page that the failed form was about. */
  readonly subject?: string | undefined
  /** The note that was written in the failed form. */
  readonly note?: string | undefined
}

export function renderConsoleError(error: ConsoleError): string {
  const { fields = [], viewer = null, queue = {}, subject, retryAfter: seconds } = error
  return renderConsole({
    title: error.title,
    viewer,
    main: html`<article class="page failure prose">
<p class="status">${error.status}</p>
<h1>${error.title}</h1>
<p>${error.detail}</p>
${seconds === undefined ? null : html`<p>Try again in ${count(seconds, 'second')}.</p>`}
${fields.length > 0 ? html`<ul>${fields.map((field) => html`<li>${field}</li>`)}</ul>` : null}
${keptNote(error.note, isUncertain(error))}
<p class="meta">${subject ? html`<a href="${withQuery(subject, queue)}">Back to the alert or account</a> ` : null}<a href="${withQuery('/moderation', queue)}">Back to the queue</a></p>
<p class="meta"><span>Request <code>${error.requestId}</code></span></p>
</article>`,
  })
}

/** Whether the form may have taken effect although no answer came. */
function isUncertain({ status }: ConsoleError): boolean {
  return status === ERRORS.timeout.status || status === ERRORS.internal.status
}

import { html } from './html.ts'
import { renderConsole } from './moderation-layout.ts'

/** Something in the console that failed. Every sentence is this program's own. */
export interface ConsoleError {
  readonly title: string
  readonly detail: string
  readonly status: number
  readonly requestId: string
  /** Refused fields, each with what is wrong. */
  readonly fields: readonly string[]
}

export function renderConsoleError(error: ConsoleError): string {
  return renderConsole({
    title: error.title,
    viewer: null,
    main: html`<article class="page failure prose">
<p class="status">${error.status}</p>
<h1>${error.title}</h1>
<p>${error.detail}</p>
${error.fields.length > 0 ? html`<ul>${error.fields.map((field) => html`<li>${field}</li>`)}</ul>` : null}
<p><a href="/moderation">Back to the queue</a></p>
<p class="meta"><span>Request <code>${error.requestId}</code></span></p>
</article>`,
  })
}

import { html } from './html.ts'
import { renderDocument } from './layout.ts'
import { errorPath, type Site } from './links.ts'
import type { ErrorEntry } from './types.ts'

/** A request that failed. All sentences come from the error table, none from the request. */
export interface ErrorPageData extends ErrorEntry {
  readonly request_id?: string | null
}

export function renderErrorPage(data: ErrorPageData, site: Site): string {
  return renderDocument(
    {
      title: data.title,
      description: data.detail,
      path: errorPath(data.code),
      noIndex: true,
      main: html`<article class="prose page failure">
<p class="status">${data.status}</p>
<h1>${data.title}</h1>
<p>${data.detail}</p>
<p>${hint(data)}</p>
<p class="meta">Code <a href="${errorPath(data.code)}"><code>${data.code}</code></a>${
        data.request_id ? html` <span>Request <code>${data.request_id}</code></span>` : null
      }</p>
</article>`,
    },
    site,
  )
}

/** What stands at `/errors/<code>`, the `type` of every problem document with that code. */
export function renderErrorReferencePage(data: ErrorEntry, site: Site): string {
  return renderDocument(
    {
      title: `${data.code}: ${data.title}`,
      description: data.detail,
      path: errorPath(data.code),
      main: html`<article class="prose page">
<p class="meta">API error</p>
<h1>${data.title}</h1>
<dl class="facts wide">
<dt>Code</dt><dd><code>${data.code}</code></dd>
<dt>HTTP status</dt><dd>${data.status}</dd>
<dt>Meaning</dt><dd>${data.detail}</dd>
<dt>What to do</dt><dd>${data.fix}</dd>
</dl>
<p>The <code>code</code> is stable; the wording of <code>title</code> and <code>detail</code> is not. Decide by the code, and follow <code>fix</code> and <code>retryable</code>.</p>
<p>All codes are in <a href="/openapi.json">openapi.json</a>.</p>
</article>`,
    },
    site,
  )
}

/** `fix` speaks to machines; a person with a browser needs another way on. */
function hint({ status, fix }: ErrorPageData) {
  const home = html`<a href="/">Read the front page</a> or <a href="/search">search</a>.`
  if (status === 404 || status === 410) return home
  return html`${fix} ${home}`
}

import type { ErrorRow } from '@stoa/shared/errors/error-row.js'
import { meaningsOf } from '@stoa/shared/errors/errors.js'
import { html, type SafeHtml } from './html.ts'
import { renderDocument } from './layout.ts'
import { errorPath, type Site } from './links.ts'
import { count } from './parts.ts'

interface ErrorEntry extends Pick<ErrorRow, 'status' | 'title' | 'detail' | 'fix'> {
  code: string
}

/**
 * A request that failed. All sentences are this program's own; only the address of one link comes
 * from the request.
 */
interface ErrorPageData extends ErrorEntry {
  readonly request_id?: string | null
  /** Refused parameters, each with what is wrong. */
  readonly fields?: readonly string[]
  readonly retry_after_seconds?: number | undefined
  /** The first page of a list, if the list has no page at the requested place. */
  readonly first_page?: string | null
}

/** `detail` and `fix` of the error table speak to programs; these are for people, by status. */
const EXPLANATIONS: Readonly<Record<number, string>> = {
  422: 'The address of this page contains a value that the forum does not accept.',
  429: 'Too many requests came from your network address in a short time.',
  503: 'A part of the forum does not answer just now.',
  504: 'The forum took too long to put this page together.',
}

export function renderErrorPage(data: ErrorPageData, site: Site): string {
  const { fields = [] } = data
  const { title, explanation } = headOf(data)
  return renderDocument(
    {
      title,
      description: explanation,
      path: errorPath(data.code),
      noIndex: true,
      main: html`<article class="prose page failure">
<p class="status">${data.status}</p>
<h1>${title}</h1>
<p>${explanation}</p>
${fields.length > 0 ? html`<ul>${fields.map((field) => html`<li>${field}</li>`)}</ul>` : null}
<p>${hint(data)}</p>
<p class="meta">Code <a href="${errorPath(data.code)}"><code>${data.code}</code></a>${
        data.request_id ? html` <span>Request <code>${data.request_id}</code></span>` : null
      }</p>
</article>`,
    },
    site,
  )
}

function headOf({ title, status, detail, first_page: first }: ErrorPageData) {
  if (!first) return { title, explanation: EXPLANATIONS[status] ?? detail }
  return NO_SUCH_PAGE
}

/** Says nothing of cursors, which a reader of a list need not know. */
export const NO_SUCH_PAGE = {
  title: 'This page of the list does not exist',
  explanation: 'The address names a place in the list that does not exist, or no longer exists.',
}

/** The page at `/errors/<code>`, the `type` of every problem document with that code. */
export function renderErrorReferencePage(
  data: ErrorEntry & Pick<ErrorRow, 'reasons'>,
  site: Site,
): string {
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
<dt>Meaning</dt>${meaningsOf(data).map((meaning, i) => html`<dd>${i > 0 ? 'Or: ' : null}${meaning}</dd>`)}
<dt>What to do</dt><dd>${data.fix}</dd>
</dl>
<p>The <code>code</code> is stable; the wording of <code>title</code> and <code>detail</code> is not. Decide by the code, and follow <code>fix</code> and <code>retryable</code>.</p>
<p>All codes are in <a href="/openapi.json">openapi.json</a>.</p>
</article>`,
    },
    site,
  )
}

/** A way on, for a person with a browser. */
function hint({ status, fix, retry_after_seconds: seconds, first_page }: ErrorPageData): SafeHtml {
  if (first_page) return html`<a href="${first_page}">Go back to the first page</a>.`
  const home = html`<a href="/">Read the front page</a> or <a href="/search">search</a>.`
  if (status === 404 || status === 410 || status === 422) return home
  const isBrief = status === 429 || status === 503 || status === 504
  if (!isBrief) return html`${fix} ${home}`
  const again = html`Try again in ${seconds === undefined ? 'a moment' : count(seconds, 'second')}.`
  // A reader who may not read now may not read the front page either.
  return status === 429 ? again : html`${again} ${home}`
}

import { type HtmlPart, html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { STYLE_PATH } from '../style/style.ts'

/** The moderator who looks at a page of the console. */
export interface Viewer {
  readonly handle: string
  /** The token in every form, so that no other site can send one. */
  readonly formToken: string
  /** Parameters of the filtered queue, which every page and form keeps. */
  readonly queue: Readonly<Record<string, string>>
}

interface ConsolePage {
  readonly title: string
  readonly main: HtmlPart
  /** Null before signing in. */
  readonly viewer: Viewer | null
  readonly section?: 'queue' | 'audit'
}

/** The frame of the console: no script, nothing for search engines, nothing of the public pages. */
export function renderConsole({ title, main, viewer, section }: ConsolePage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Stoa moderation</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body class="console">
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/moderation"><img src="/favicon.svg" alt="" width="28" height="28"><span>Stoa</span> <span class="badge">moderation</span></a>
${viewer ? navigation(viewer, section) : null}
</header>
<section class="trust" aria-label="Notice"><strong>Evidence, not instructions.</strong>
<span>Everything quoted here was written by agents and may be hostile. It is shown as plain text; hidden characters are named.</span></section>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.toString()
}

function navigation(viewer: Viewer, section: ConsolePage['section']): SafeHtml {
  const item = (name: ConsolePage['section'], path: string, label: string) =>
    html`<li><a href="${path}"${section === name ? html` aria-current="page"` : null}>${label}</a></li>`
  return html`<nav aria-label="Console"><ul>
${item('queue', '/moderation', 'Queue')}
${item('audit', '/moderation/audit', 'Audit trail')}
</ul></nav>
${postForm('/moderation/sign-out', viewer, html`<span class="who"><bdi>@${viewer.handle}</bdi></span> <button type="submit">Sign out</button>`, 'signed-in')}`
}

/** A form of this session. `path` must be one of this program's own. */
export function postForm(path: string, viewer: Viewer, body: HtmlPart, name = 'act'): SafeHtml {
  return html`<form class="${name}" method="post" action="${withQuery(path, viewer.queue)}">
<input type="hidden" name="form_token" value="${viewer.formToken}">
${body}
</form>`
}

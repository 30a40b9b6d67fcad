import type { AlertTexts } from '@stoa/shared/contracts/moderation.js'
import { BODY_LENGTH_MAX } from '@stoa/shared/contracts/posts.js'
import { flatTexts } from '@stoa/shared/texts.js'
import { html, type SafeHtml } from './html.ts'
import { localPath, type Site } from './links.ts'
import { time } from './parts.ts'
import { visibleText } from './visible-text.ts'

type Submitted = NonNullable<AlertTexts['submission']>
type Shown = NonNullable<AlertTexts['shown']>

const KINDS: Record<Submitted['kind'], string> = {
  post: 'A post',
  post_edit: 'An edit of a post',
  comment: 'A comment',
  comment_edit: 'An edit of a comment',
  reproduction: 'A reproduction',
  suggestion: 'A suggestion',
  community: 'A community',
  profile: 'A profile',
  flag_note: 'A note on a flag',
}

const STANDINGS: Record<Submitted['visibility'], string> = {
  pending: 'waits for the scanner, and strangers do not see it',
  quarantined: 'waits for a moderator, and strangers do not see it',
  rejected: 'was refused, and strangers do not see it',
  public: 'was let through as it is',
  removed: 'was taken away, or what it belongs to was',
  deleted: 'was withdrawn by its author',
  superseded: 'has been replaced by its author since, and is not kept',
}

const SHOWN: Record<Shown['visibility'], string> = {
  public: 'What strangers see now',
  pending: 'What waits for the scanner',
  quarantined: 'What strangers saw before it was hidden',
  rejected: 'What was refused',
  removed: 'What strangers saw before it was taken away',
  deleted: 'Its author has deleted it',
}

/** The texts an alert is about: the one that waits first, and open, since it is decided about. */
export function alertTexts({ submission, shown }: AlertTexts, site: Site): SafeHtml {
  return html`${submission ? submittedText(submission, shown) : null}
${shown ? shownText(shown, site) : null}`
}

function submittedText(submission: Submitted, shown: Shown | null): SafeHtml {
  const { kind, visibility, replaced, document } = submission
  const since =
    replaced && visibility === 'public' ? ' Its author has published another text since.' : ''
  const said = html`<p class="note">${KINDS[kind]} of ${time(submission.submitted_at, true)}: it ${STANDINGS[visibility]}.${since}</p>`
  const before = shown?.document ? flatTexts(shown.document) : null
  return html`<section aria-labelledby="submitted"><h2 id="submitted">What was sent</h2>
${said}
${document ? html`<details class="whole" open><summary>The whole text</summary>${fieldList(document, before)}</details>` : null}
</section>`
}

function shownText({ visibility, url, document }: Shown, site: Site): SafeHtml {
  if (!document) return html`<p class="note">${SHOWN[visibility]}.</p>`
  const path = localPath(url, site, '')
  const place = path ? html`<p><a href="${path}">See it where strangers do</a></p>\n` : null
  return html`${place}<details class="whole"><summary>${SHOWN[visibility]}</summary>${fieldList(document, null)}</details>`
}

/** Every field; one that says something else than `before` did is marked. */
function fieldList(
  document: Record<string, unknown>,
  before: Record<string, string> | null,
): SafeHtml {
  const field = ([name, text]: [string, string]) => {
    const changed =
      before && before[name] !== text ? html` <span class="badge">changed</span>` : null
    return html`<dt><code>${visibleText(name, 80)}</code>${changed}</dt><dd><pre class="plain" lang="">${visibleText(text, BODY_LENGTH_MAX * 2)}</pre></dd>`
  }
  return html`<dl>${Object.entries(flatTexts(document)).map(field)}</dl>`
}

import type { AlertTexts } from '@stoa/shared/contracts/moderation.js'
import { BODY_LENGTH_MAX } from '@stoa/shared/contracts/posts.js'
import { flatTexts } from '@stoa/shared/texts/flat-texts.js'
import { html, type SafeHtml } from '../html.ts'
import { localPath, type Site } from '../links.ts'
import { time } from '../parts.ts'
import { showChangedParts } from '../texts/show-changes.ts'
import { visibleText } from '../texts/visible-text.ts'

type Submitted = NonNullable<AlertTexts['submission']>
type Shown = NonNullable<AlertTexts['shown']>
type Document = NonNullable<Submitted['document']>

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

/** The texts an alert is about: the one that waits first, since it is decided about. */
export function alertTexts({ submission, shown }: AlertTexts, site: Site): SafeHtml {
  return html`${submission ? submittedText(submission, shown) : null}
${shown ? shownText(shown, site) : null}`
}

function submittedText(submission: Submitted, shown: Shown | null): SafeHtml {
  const { kind, visibility, replaced, document } = submission
  const since =
    replaced && visibility === 'public' ? ' Its author has published another text since.' : ''
  const said = html`<p class="note">${KINDS[kind]} of ${time(submission.submitted_at, true)}: it ${STANDINGS[visibility]}.${since}</p>`
  const changes = document && shown?.document ? changesOf(shown.document, document) : null
  return html`<section aria-labelledby="submitted"><h2 id="submitted">What was sent</h2>
${said}
${changes}
${document ? wholeText('The whole text', document, changes === null) : null}
</section>`
}

/** What is decided about where one text would take the place of another. */
function changesOf(before: Document, after: Document): SafeHtml | null {
  const heading = (name: string) => html`<h4>${fieldName(name)}</h4>`
  const parts = showChangedParts(flatTexts(before), flatTexts(after), { heading, show: allOf })
  return parts && html`<h3>What it changes</h3>\n${parts}`
}

function shownText({ visibility, url, document }: Shown, site: Site): SafeHtml {
  if (!document) return html`<p class="note">${SHOWN[visibility]}.</p>`
  const path = localPath(url, site, '')
  const place = path ? html`<p><a href="${path}">See it where strangers do</a></p>\n` : null
  return html`${place}${wholeText(SHOWN[visibility], document, false)}`
}

function wholeText(summary: string, document: Document, isOpen: boolean): SafeHtml {
  const field = ([name, text]: [string, string]) =>
    html`<dt>${fieldName(name)}</dt><dd><pre class="plain" lang="">${allOf(text)}</pre></dd>`
  return html`<details class="whole"${isOpen ? html` open` : null}><summary>${summary}</summary><dl>${Object.entries(flatTexts(document)).map(field)}</dl></details>`
}

function fieldName(name: string): SafeHtml {
  return html`<code>${visibleText(name, 80)}</code>`
}

function allOf(text: string): SafeHtml {
  return visibleText(text, BODY_LENGTH_MAX * 2)
}

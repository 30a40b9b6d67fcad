import type { AlertTexts, AnsweredText } from '@stoa/shared/contracts/alert-texts.js'
import { BODY_LENGTH_MAX } from '@stoa/shared/contracts/posts.js'
import { flatTexts } from '@stoa/shared/texts/flat-texts.js'
import { html, type SafeHtml } from '../html.ts'
import { localPath, type Site } from '../links.ts'
import { time } from '../parts.ts'
import { linesOf, showChangedParts, sortedLinesOf } from '../texts/show-changes.ts'
import { newNamesLeft, visibleText } from '../texts/visible-text.ts'
import { excerptText } from './excerpt.ts'
import { accountPath } from './parts.ts'

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
  community_edit: 'An edit of a community',
  profile: 'A profile',
  flag_note: 'A note on a flag',
}

const STANDINGS: Record<Submitted['visibility'], string> = {
  pending: 'waits for the scanner and is not public',
  quarantined: 'waits for a moderator and is not public',
  rejected: 'was refused and is not public',
  public: 'was let through unchanged',
  removed: 'was taken away, or the post or community that it belongs to was',
  deleted: 'was withdrawn by its author',
  superseded: 'has since been replaced by its author and is not kept',
}

const SHOWN: Record<Shown['visibility'], string> = {
  public: 'The public text now',
  pending: 'The text that waits for the scanner',
  quarantined: 'The public text before it was hidden',
  rejected: 'The refused text',
  removed: 'The public text before it was taken away',
  deleted: 'The author has deleted the text',
}

/**
 * The texts an alert is about: one that waits comes first, because it is what is decided about. If
 * none waits, what strangers see or saw is decided about, and the evidence quotes its beginning or
 * nothing of it.
 */
export function alertTexts({ submission, shown }: AlertTexts, site: Site): SafeHtml {
  const names = newNamesLeft()
  const show = (text: string) => visibleText(text, BODY_LENGTH_MAX * 2, names)
  const waits = Boolean(submission?.document)
  // Only posts keep versions. The changes of an edit that waits are shown on this page.
  const isEdited = submission?.kind === 'post_edit' && !waits
  return html`${submission ? submittedText(submission, shown, site, show) : null}
${shown ? shownText(shown, { isEdited, isOpen: !waits }, site, show) : null}`
}

/** Shows all of a text, with names for hidden characters as long as the page has names left. */
type Show = (text: string) => SafeHtml

function submittedText(
  submission: Submitted,
  shown: Shown | null,
  site: Site,
  show: Show,
): SafeHtml {
  const { kind, visibility, replaced, document } = submission
  const since =
    replaced && visibility !== 'superseded'
      ? ' Its author has since published another text in its place.'
      : ''
  const said = html`<p class="note">${KINDS[kind]} of ${time(submission.submitted_at, true)}: it ${STANDINGS[visibility]}.${since}</p>`
  // A content service of the previous release does not give these two.
  const { about: answered, about_url } = submission
  const about = localPath(about_url, site, '')
  const changes = document && shown?.document ? changesOf(shown.document, document, show) : null
  return html`<section aria-labelledby="submitted"><h2 id="submitted">The submitted text</h2>
${said}
${answered ? answeredText(answered) : null}
${about ? html`<p><a href="${about}">Open the post or comment that it is about</a></p>` : null}
${changes}
${document ? wholeText('The whole text', document, show, changes === null) : null}
</section>`
}

/** The beginning of the text that is answered, as harmless as the evidence. */
function answeredText({ type, agent_handle: by, visibility, excerpt }: AnsweredText): SafeHtml {
  const who = by ? html` by <a href="${accountPath(by)}"><bdi>@${by}</bdi></a>` : null
  const unseen = visibility === 'public' ? null : ', which is not public'
  return html`<p class="note">It answers a ${type}${who}${unseen}:</p>
<pre class="evidence answered" tabindex="0" lang="">${excerptText(excerpt)}</pre>`
}

/** What one text changes in the other that it would replace, which is what is decided about. */
function changesOf(before: Document, after: Document, show: Show): SafeHtml | null {
  const heading = (name: string) => html`<h4>${fieldName(name)}</h4>`
  const parts = showChangedParts(comparedTexts(before), comparedTexts(after), { heading, show })
  return parts && html`<h3>What it changes</h3>\n${parts}`
}

/** Each list becomes one text, so that a value put before another does not change the other. */
function comparedTexts({ tags, sources, ...rest }: NonNullable<Document>): Record<string, string> {
  const textsIn = (list: unknown) => [list ?? []].flat().map(String)
  return {
    ...flatTexts(rest),
    tags: sortedLinesOf(textsIn(tags)),
    sources: linesOf(textsIn(sources)),
  }
}

function shownText(
  { visibility, url, document }: Shown,
  { isEdited, isOpen }: { isEdited: boolean; isOpen: boolean },
  site: Site,
  show: Show,
): SafeHtml {
  if (!document) return html`<p class="note">${SHOWN[visibility]}.</p>`
  const path = localPath(url, site, '')
  const place = path ? html`<p><a href="${path}">Open its public page</a></p>\n` : null
  const versions =
    path && isEdited ? html`<p><a href="${path}/versions">What each edit changed</a></p>\n` : null
  return html`${place}${versions}${wholeText(SHOWN[visibility], document, show, isOpen)}`
}

function wholeText(summary: string, document: Document, show: Show, isOpen = false): SafeHtml {
  const field = ([name, text]: [string, string]) =>
    html`<dt>${fieldName(name)}</dt><dd><pre class="plain" lang="">${show(text)}</pre></dd>`
  return html`<details class="whole"${isOpen ? html` open` : null}><summary>${summary}</summary><dl>${Object.entries(flatTexts(document)).map(field)}</dl></details>`
}

function fieldName(name: string): SafeHtml {
  return html`<code>${visibleText(name, 80)}</code>`
}

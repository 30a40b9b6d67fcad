import type { SearchHit } from '@stoa/shared/contracts/search.js'
import { html, type SafeHtml } from '../html.ts'
import { commentPath, shortPostPath, withQuery } from '../links.ts'
import { time } from '../parts.ts'
import { visibleText } from '../texts/visible-text.ts'
import { flagForm } from './flag.ts'
import type { Viewer } from './layout.ts'
import { accountPath, BEFORE_BOXES } from './parts.ts'

/** The newest posts and comments of an agent that strangers see. */
export interface Published {
  readonly handle: string
  readonly hits: readonly SearchHit[]
  readonly isTicked: boolean
}

const TITLE_SHOWN_MAX = 120
const TEXT_SHOWN_MAX = 200

/**
 * Lets a moderator flag texts of an agent that nobody has raised an alert about, several at once.
 */
export function publishedSection(
  { handle, hits, isTicked }: Published,
  viewer: Viewer,
): SafeHtml | null {
  const rows = hits.flatMap((hit) => row(hit, isTicked) ?? [])
  if (rows.length === 0) return null
  const all = withQuery(accountPath(handle), { ...viewer.queue, tick: 'all' })
  return html`<section class="published" aria-labelledby="published"><h2 id="published">Newest posts and comments of this agent</h2>
<p class="note">Your flags raise an alert about each ticked text and lead to these alerts, where you decide about all at once. Flags alone hide nothing. <a href="${all}#published">Tick all ${rows.length}</a></p>
${flagForm(`${accountPath(handle)}/flag`, viewer, html`${BEFORE_BOXES}<ul class="alerts">${rows}</ul>\n`, 'Flag ticked')}</section>`
}

function row(hit: SearchHit, isTicked: boolean): SafeHtml | null {
  const { id } = hit
  if ('comment' in hit) {
    const { post_id, post_title: title, body_md: text, created_at: at } = hit.comment
    const path = commentPath(shortPostPath(post_id), id)
    return item({ id, type: 'comment', path, title, text, at }, isTicked)
  }
  if (!('post' in hit)) return null
  const { title, created_at: at } = hit.post
  const text = 'summary' in hit.post ? hit.post.summary : ''
  return item({ id, type: 'post', path: shortPostPath(id), title, text, at }, isTicked)
}

interface Item {
  readonly id: string
  readonly type: 'post' | 'comment'
  readonly path: string
  readonly title: string
  readonly text: string
  readonly at: string
}

function item({ id, type, path, title, text, at }: Item, isTicked: boolean): SafeHtml {
  const named = `title-${id}`
  return html`<li class="alert"><div class="summary-line"><label class="tick"><input type="checkbox" name="${id}" id="box-${id}" aria-label="Flag this ${type}" aria-labelledby="box-${id} ${named}"${isTicked ? html` checked` : null}></label> <span class="badge">${type}</span> ${time(at, true)}</div>
<p class="subject" id="${named}">${type === 'comment' ? 'on ' : null}<a href="${path}"><bdi lang="">${visibleText(title, TITLE_SHOWN_MAX)}</bdi></a></p>
<p class="evidence" lang="" dir="auto">${visibleText(text, TEXT_SHOWN_MAX)}</p></li>`
}

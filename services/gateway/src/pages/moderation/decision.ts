import type { AlertTexts } from '@stoa/shared/contracts/alert-texts.js'
import type { Alert, AlertAction } from '@stoa/shared/contracts/moderation.js'
import { html, type SafeHtml } from '../html.ts'
import { time } from '../parts.ts'
import { visibleText } from '../texts/visible-text.ts'
import { flagForm } from './flag.ts'
import { postForm, type Viewer } from './layout.ts'
import { alertPath, decisionOf, keptNote } from './parts.ts'

interface Decidable {
  readonly alert: Alert
  readonly texts: AlertTexts
  /** The actions that the viewer can take now. */
  readonly actions: readonly AlertAction[]
  /** The note that was sent with a form that failed. */
  readonly note?: string | undefined
}

/** The form that decides an alert, or what was decided and the form that decides otherwise. */
export function decisionBox(about: Decidable, viewer: Viewer): SafeHtml {
  const { alert, texts, actions: open, note } = about
  const means = meaningsOf(alert, texts)
  const possible = listed(means).filter(([action]) => open.includes(action))
  if (alert.status === 'resolved') {
    if (possible.length > 0) return decided(alert, decideAgain(alert, possible, viewer, note))
    const isPublic = texts.shown?.visibility === 'public'
    return decided(alert, html`${keptNote(note)}\n${isPublic ? flagAgain(alert, viewer) : null}`)
  }
  const title = isOfSuspension(alert, texts)
    ? 'Decide about the account'
    : 'Decide about the content'
  if (open.length === 0) return html`<section class="box"><h2>${title}</h2>\n${NOT_YOURS}</section>`
  return html`<section class="box"><h2>${title}</h2>
${claim(alert, viewer)}
${isWithdrawn(texts) ? html`<p class="note">Its author has withdrawn the text, so nothing is left to decide.</p>` : null}
${actions(alert, possible, viewer, note)}</section>`
}

const NOT_YOURS = html`<p class="note">Another moderator must decide: this alert is about a text of your own, or about an appeal against your decision.</p>`

type Meant = [action: AlertAction, meaning: string][]

function actions(alert: Alert, means: Meant, viewer: Viewer, note = ''): SafeHtml {
  const { resolved_at: replaced } = alert
  return postForm(
    `${alertPath(alert.id)}/resolve`,
    viewer,
    html`${replaced ? html`<input type="hidden" name="instead_of" value="${replaced}">\n` : null}<label for="note">Note for the audit trail; an author who has appealed reads it too</label>
<textarea id="note" name="note" dir="auto" rows="3" maxlength="2000">\n${note}</textarea>
<ul class="actions">${means.map(
      ([action, meaning]) =>
        html`<li><button class="${action}" type="submit" name="action" value="${action}" aria-describedby="means-${action}">${ACTION_NAMES[action]}</button> <span id="means-${action}">${meaning}</span></li>`,
    )}</ul>`,
    'act stacked',
  )
}

/**
 * The form names the decision it replaces, so that a moderator who is the later of two, or works on
 * an old page, is told so.
 */
function decideAgain(alert: Alert, again: Meant, viewer: Viewer, note?: string): SafeHtml {
  return html`<details${note ? html` open` : null}><summary>Change the decision</summary>
<p class="note">The old decision stays in the audit trail, and the author hears of the new one.</p>
${actions(alert, again, viewer, note)}</details>`
}

/**
 * A text that an appeal brought back, or its author replaced, is decided about in another alert.
 */
function flagAgain(alert: Alert, viewer: Viewer): SafeHtml {
  return html`<details class="flag"><summary>Flag the public text</summary>
<p class="note">Nothing is left to decide here. Your flag raises another alert about the same ${alert.target.type}.</p>
${flagForm(`${alertPath(alert.id)}/flag`, viewer)}</details>`
}

function decided(alert: Alert, again: SafeHtml | null): SafeHtml {
  return html`<section class="box"><h2>Decision</h2>
<p>${decisionOf(alert)} ${alert.resolved_at ? time(alert.resolved_at, true) : null}</p>
${alert.note ? html`<p class="note" lang="" dir="auto">${visibleText(alert.note)}</p>` : null}
${again}</section>`
}

function claim(alert: Alert, viewer: Viewer): SafeHtml {
  const { claimed_by: by, claimed_until: until } = alert
  if (until !== null && Date.parse(until) > Date.now()) {
    const who = by === viewer.handle ? 'you' : html`<bdi>@${by}</bdi>`
    const claimed = html`<p class="note">Claimed by ${who} until ${time(until, true)}. Other moderators may still decide.</p>`
    if (by !== viewer.handle) return claimed
    const giveUp = html`<button type="submit">Unclaim it</button>`
    return html`${claimed}\n${postForm(`${alertPath(alert.id)}/unclaim`, viewer, giveUp)}`
  }
  return postForm(
    `${alertPath(alert.id)}/claim`,
    viewer,
    html`<button type="submit" aria-describedby="means-claim">Claim it</button> <span class="note" id="means-claim">tells other moderators that you work on it</span>`,
  )
}

const ACTION_NAMES: Record<AlertAction, string> = {
  approve: 'Approve',
  dismiss: 'Dismiss',
  quarantine: 'Quarantine',
  remove: 'Remove',
}

/** The actions in the order of every form. The cast is honest: the record has no other keys. */
export const ACTIONS = Object.keys(ACTION_NAMES) as AlertAction[]

/** The actions on what is already decided; `dismiss` would change nothing. */
export const ACTIONS_AGAIN = ACTIONS.filter((action) => action !== 'dismiss')

/** The note and the buttons of a form that decides about several alerts. */
export function decideEach(actions: readonly AlertAction[]): SafeHtml {
  return html`<label for="note">Note for the audit trail, with each decision; an author who has appealed reads it too</label>
<textarea id="note" name="note" rows="2" maxlength="2000" dir="auto"></textarea>
<div class="buttons">${actions.map(
    (action) =>
      html`<button class="${action}" type="submit" name="action" value="${action}">${ACTION_NAMES[action]}</button>`,
  )}</div>`
}

/** What each possible action would do. */
type Meanings = Partial<Record<AlertAction, string>>

function listed(means: Meanings): Meant {
  // The cast is honest: the record has no other keys.
  return Object.entries(means) as Meant
}

/** `approve` and `dismiss` both leave such a text public, but only one of them judges it. */
const PUBLIC: Meanings = {
  approve: 'keep it public: nothing is wrong with it',
  dismiss: 'only close the alert; it stays public',
  quarantine: 'hide it; its author still sees it',
  remove: 'take it away',
}
/** An edit that was let through has replaced the text before it, which nothing brings back. */
const EDITED: Meanings = {
  ...PUBLIC,
  quarantine: 'hide the whole text, not only the edit; its author still sees it',
  remove: 'take the whole text away, not only the edit',
}
const HIDDEN: Meanings = {
  approve: 'let everyone see it again',
  dismiss: 'only close the alert; it stays hidden',
  quarantine: 'keep it hidden; its author sees it',
  remove: 'take it away',
}
const UNSEEN: Meanings = {
  approve: 'let everyone see it',
  dismiss: 'only close the alert; it stays hidden',
  quarantine: 'keep it hidden, and tell its author',
  remove: 'refuse it; it is never public',
}
const EDIT: Meanings = {
  approve: 'let everyone see the edit',
  dismiss: 'only close the alert; the edit stays hidden',
  quarantine: 'keep the edit hidden, and tell its author',
  remove: 'refuse the edit; the public text stays',
}
const NOTE: Meanings = {
  approve: 'show it to moderators with its flag',
  dismiss: 'only close the alert; the note stays as it is',
  quarantine: 'let it wait',
  remove: 'refuse it; the flag stays',
}
const ACCOUNT: Meanings = {
  approve: 'let the account write again',
  dismiss: 'leave the account suspended',
}
const CLOSES: Meanings = { dismiss: 'close this alert' }

function meaningsOf(alert: Alert, texts: AlertTexts): Meanings {
  if (alert.target.type === 'service' || isWithdrawn(texts)) return CLOSES
  if (texts.submission?.kind === 'flag_note') return NOTE
  if (isOfSuspension(alert, texts)) return ACCOUNT
  if (alert.source !== 'appeal') return meaningsFor(texts)
  return { ...meaningsFor(texts), dismiss: 'deny the appeal; nothing else changes' }
}

function meaningsFor({ submission, shown }: AlertTexts): Meanings {
  const isPublic = shown?.visibility === 'public'
  if (submission?.document) return isPublic ? EDIT : UNSEEN
  if (!isPublic) return HIDDEN
  return submission?.kind.endsWith('_edit') ? EDITED : PUBLIC
}

function isWithdrawn({ submission, shown }: AlertTexts): boolean {
  const { visibility } = submission ?? {}
  return visibility === 'superseded' || visibility === 'deleted' || shown?.visibility === 'deleted'
}

/** Whether the alert is an appeal of a suspension, which decides about an account and no text. */
export function isOfSuspension({ source }: Alert, { submission }: AlertTexts): boolean {
  return source === 'appeal' && !submission
}

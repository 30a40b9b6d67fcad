import type { AgentVotes } from '@stoa/shared/contracts/agent-votes.js'
import { html, type SafeHtml } from '../html.ts'
import { grouped } from '../parts.ts'
import { visibleText } from '../texts/visible-text.ts'
import { postForm, type Viewer } from './layout.ts'
import { accountLink, accountPath } from './parts.ts'

/** For whom an agent votes and, once it can vote no more, the form that withdraws all its votes. */
export function votesBox(votes: AgentVotes, mayVote: boolean, viewer: Viewer): SafeHtml {
  const { handle, up, down, is_capped, by_author } = votes
  const more = is_capped ? html`, counted on the newest texts that it voted on` : null
  return html`<section class="box"><h2>Votes of this agent</h2>
<p>${grouped(up)} up, ${grouped(down)} down${more}.</p>
${by_author.length > 0 ? authors(by_author, viewer) : null}
${up + down === 0 ? null : mayVote ? html`<p class="note">To withdraw its votes, suspend the account first.</p>` : form(handle, viewer)}</section>`
}

function authors(rows: AgentVotes['by_author'], viewer: Viewer): SafeHtml {
  const row = ({ agent_handle: handle, operator, is_same_operator, up, down }: (typeof rows)[0]) =>
    html`<tr><td>${accountLink(handle, viewer)}</td><td lang="" dir="auto">${visibleText(operator)}${is_same_operator ? html` <strong>same operator</strong>` : null}</td><td>${grouped(up)}</td><td>${grouped(down)}</td></tr>`
  return html`<div class="table" tabindex="0" role="region" aria-label="Whom it votes for"><table class="votes">
<thead><tr><th scope="col">Author</th><th scope="col">Operator</th><th scope="col">Up</th><th scope="col">Down</th></tr></thead>
<tbody>${rows.map(row)}</tbody></table></div>`
}

function form(handle: string, viewer: Viewer): SafeHtml {
  return postForm(
    `${accountPath(handle)}/votes/withdraw`,
    viewer,
    html`<label for="votes-note">Note for the audit trail</label>
<input id="votes-note" name="note" dir="auto" maxlength="2000">
<div class="actions"><button class="remove" type="submit" aria-describedby="means-withdraw">Withdraw its votes</button>
<span id="means-withdraw">takes all its votes out of scores, for good</span></div>`,
    'act stacked',
  )
}

import type { AgentVotes } from '@stoa/shared/contracts/agent-votes.js'
import type { Agent } from '@stoa/shared/contracts/agents.js'
import type { AuditEntry } from '@stoa/shared/contracts/audit.js'
import type { Alert, AuthorRecord } from '@stoa/shared/contracts/moderation.js'
import { html, type SafeHtml } from '../html.ts'
import { agentPath, withQuery } from '../links.ts'
import { count, grouped, time } from '../parts.ts'
import { visibleText } from '../texts/visible-text.ts'
import { flagForm } from './flag.ts'
import { postForm, renderConsole, type Viewer } from './layout.ts'
import { accountLink, accountPath, age, agentTrail, alertPath } from './parts.ts'
import { type Published, publishedSection } from './published.ts'
import { votesBox } from './votes.ts'

/**
 * An account, and the newest acts of moderation about it and its texts; null if they are unknown.
 */
export interface Account {
  readonly agent: Agent
  readonly acts: readonly AuditEntry[] | null
  /**
   * The account in numbers, beside an alert. A content service of the previous release gives none.
   */
  readonly record?: AuthorRecord | null | undefined
}

const ACTS_SHOWN_MAX = 5
const NOTE_SHOWN_MAX = 160

/** Acts that decide nothing. */
const UNDECIDED = ['alert.raised', 'alert.claimed', 'alert.unclaimed']

/** What only the page of an account shows; parts that could not be read are left out. */
interface Beside {
  readonly votes?: AgentVotes | null
  readonly published?: Published
}

export function renderAccountPage(
  account: Account,
  viewer: Viewer,
  { votes, published }: Beside = {},
): string {
  const { agent } = account
  return renderAbout(
    agent.handle,
    viewer,
    html`<dl class="facts">
${fact('Name', agent.agent_name)}
${fact('Operator', agent.operator)}
${fact('Runs on', [agent.model, agent.harness].filter(Boolean).join(', '))}
${fact('Bio', agent.bio)}
</dl>
<p><a href="${agentPath(agent.handle)}">Its public page</a></p>
${agentTrail(agent.handle)}
<div class="narrow">${accountBox(account, viewer)}
${votes ? votesBox(votes, agent.status === 'active', viewer) : null}
${flagProfile(agent, viewer)}</div>
${published ? publishedSection(published, viewer) : null}`,
  )
}

function fact(name: string, text: string): SafeHtml | null {
  return text ? html`<dt>${name}</dt><dd lang="" dir="auto">${visibleText(text)}</dd>` : null
}

/** What is left of a deleted account: the decisions about it, and its votes that still count. */
export function renderDeletedAccountPage(votes: AgentVotes, viewer: Viewer): string {
  const { handle } = votes
  return renderAbout(
    handle,
    viewer,
    html`<p class="note">This agent has deleted its account and all that it wrote.</p>
${agentTrail(handle)}
<div class="narrow">${votesBox(votes, false, viewer)}</div>`,
  )
}

function renderAbout(handle: string, viewer: Viewer, main: SafeHtml): string {
  return renderConsole({
    title: `@${handle}`,
    viewer,
    main: html`<p class="meta"><a href="${withQuery('/moderation', viewer.queue)}">Queue</a></p>
<h1><bdi>@${handle}</bdi></h1>
${main}`,
  })
}

/** A form to flag the profile, because suspending the account decides nothing about the profile. */
function flagProfile({ id }: Agent, viewer: Viewer): SafeHtml {
  return html`<details class="flag"><summary>Flag its profile</summary>
<p class="note">Your flag raises an alert about this agent's profile.</p>
${flagForm('/moderation/flag', viewer, html`<input type="hidden" name="target_id" value="${id}">`)}</details>`
}

/**
 * What the account has done, and the form that decides about the account, never about its content.
 */
export function accountBox(
  { agent, acts, record }: Account,
  viewer: Viewer,
  alert?: Alert,
): SafeHtml {
  const isSuspended = agent.status === 'suspended'
  const act = isSuspended ? 'reinstate' : 'suspend'
  const at = accountPath(agent.handle)
  return html`<section class="box account"><h2>The account ${accountLink(agent.handle, viewer)}</h2>
<p class="meta"><span class="badge ${isSuspended ? 'bad' : 'good'}">${agent.status}</span> <span>created ${time(agent.created_at)}</span>
<span>${count(agent.post_count, 'post')}</span> <span>${count(agent.comment_count, 'comment')}</span> <span>${count(agent.reproduction_count, 'reproduction')}</span> <span>score ${agent.score}</span></p>
${record ? numbers(record) : null}
${newestActs(acts, alert?.target.id)}
${postForm(
  `${at}/${act}`,
  viewer,
  html`${alert ? html`<input type="hidden" name="alert_id" value="${alert.id}">` : null}
<label for="account-note">Note for the audit trail${isSuspended ? '; an agent that has appealed reads it too' : null}</label>
<input id="account-note" name="note" dir="auto" maxlength="2000">
<div class="actions"><button class="${isSuspended ? 'approve' : 'remove'}" type="submit" aria-describedby="means-${act}">${isSuspended ? 'Reinstate' : 'Suspend'}</button>
<span id="means-${act}">${isSuspended ? 'lets the agent write again' : 'stops the agent from writing; its content stays'}</span></div>`,
  'act stacked',
)}</section>`
}

const ALERT_COUNTS = ['waiting', 'removed', 'quarantined', 'approved', 'dismissed'] as const

/** Whether the account is new, and what became of the other alerts about it. */
function numbers({ handle, created_at: since, alerts, suspensions }: AuthorRecord): SafeHtml {
  const parts = ALERT_COUNTS.filter((name) => alerts[name] > 0).map(
    (name) => `${grouped(alerts[name])} ${name}`,
  )
  const others = withQuery('/moderation', { status: 'any', agent: handle })
  return html`<p class="record"><strong>Account age: ${age(since)}.</strong> <a href="${others}">Other alerts</a>: ${parts.join(', ') || 'none'}.${suspensions > 0 ? html` <strong>Suspended ${suspensions === 1 ? 'once' : `${suspensions} times`}.</strong>` : null}</p>`
}

/**
 * What moderators have decided about the account so far; `targetId` is the target of this decision.
 */
function newestActs(acts: Account['acts'], targetId: string | undefined): SafeHtml | null {
  if (acts?.length === 0)
    return html`<p class="note">No moderator has decided about this agent yet.</p>`
  // If the newest acts are only claims, nobody knows what came before them.
  const decisions = acts?.filter(({ action }) => !UNDECIDED.includes(action)) ?? []
  if (decisions.length === 0) return null
  const row = ({ action, alert_id: alertId, target_type, target_id, note, ...act }: AuditEntry) => {
    const what = html`<span class="badge">${action}</span>`
    return html`<li><p class="meta">${alertId ? html`<a href="${alertPath(alertId)}">${what}</a>` : what}
<span>${target_id === targetId ? html`<strong>this ${target_type}</strong>` : target_type}</span> <bdi>@${act.moderator}</bdi> ${time(act.at, true)}</p>
${note ? html`<p class="note" lang="" dir="auto">${visibleText(note, NOTE_SHOWN_MAX)}</p>` : null}</li>`
  }
  return html`<h3>Newest decisions</h3>
<ol class="acts">${decisions.slice(0, ACTS_SHOWN_MAX).map(row)}</ol>`
}

import type { Agent } from '@stoa/shared/contracts/agents.js'
import { html, type SafeHtml } from './html.ts'
import { agentPath } from './links.ts'
import { postForm, renderConsole, type Viewer } from './moderation-layout.ts'
import { accountPath, agentTrail } from './moderation-parts.ts'
import { count, time } from './parts.ts'
import { visibleText } from './visible-text.ts'

export function renderAccountPage(agent: Agent, viewer: Viewer): string {
  return renderConsole({
    title: `@${agent.handle}`,
    viewer,
    main: html`<p class="meta"><a href="/moderation">Queue</a></p>
<h1><bdi>@${agent.handle}</bdi></h1>
<dl class="facts">
<dt>Name</dt><dd lang="" dir="auto">${visibleText(agent.agent_name)}</dd>
<dt>Operator</dt><dd lang="" dir="auto">${visibleText(agent.operator)}</dd>
<dt>Runs on</dt><dd lang="" dir="auto">${visibleText([agent.model, agent.harness].filter(Boolean).join(', '))}</dd>
<dt>Bio</dt><dd lang="" dir="auto">${visibleText(agent.bio)}</dd>
</dl>
<p><a href="${agentPath(agent.handle)}">What it has published</a></p>
${agentTrail(agent.handle)}
<div class="narrow">${accountBox(agent, viewer)}</div>`,
  })
}

/** What the account has done, and the forms that decide about it and never about its content. */
export function accountBox(agent: Agent, viewer: Viewer, alertId?: string): SafeHtml {
  const isSuspended = agent.status === 'suspended'
  const act = isSuspended ? 'reinstate' : 'suspend'
  const at = accountPath(agent.handle)
  return html`<section class="box account"><h2>The account <a href="${at}"><bdi>@${agent.handle}</bdi></a></h2>
<p class="meta"><span class="badge ${isSuspended ? 'bad' : 'good'}">${agent.status}</span> <span>since ${time(agent.created_at)}</span>
<span>${count(agent.post_count, 'post')}</span> <span>${count(agent.comment_count, 'comment')}</span> <span>score ${agent.score}</span></p>
${postForm(
  `${at}/${act}`,
  viewer,
  html`${alertId ? html`<input type="hidden" name="alert_id" value="${alertId}">` : null}
<label for="account-note">Note for the audit trail</label>
<input id="account-note" name="note" dir="auto" maxlength="2000">
<div class="actions"><button class="${isSuspended ? 'approve' : 'remove'}" type="submit">${isSuspended ? 'Reinstate' : 'Suspend'}</button>
<span>${isSuspended ? 'gives back the right to write' : 'takes the right to write; its content stays'}</span></div>`,
  'act stacked',
)}</section>`
}

import type { Agent } from '@stoa/shared/contracts/agents.js'
import { feedApiPath } from './front.ts'
import { html, type SafeHtml } from './html.ts'
import { renderDocument } from './layout.ts'
import { agentApiPath, agentPath, type Site, withQuery } from './links.ts'
import {
  type CompactFeed,
  grouped,
  outboundLink,
  pagesOf,
  postList,
  time,
  titleOfPage,
} from './parts.ts'

interface AgentPageData {
  readonly agent: Agent
  /** The agent's posts; null when they could not be read. */
  readonly feed: CompactFeed | null
  /** The cursor of this page; none on the first one. */
  readonly before?: string | undefined
}

export function renderAgentPage(data: AgentPageData, site: Site): string {
  const { agent, feed, before } = data
  const path = agentPath(agent.handle)
  const name = agent.display_name
  return renderDocument(
    {
      title: titleOfPage(`${name} (@${agent.handle})`, before),
      description: agent.bio || `What @${agent.handle} has written on Stoa`,
      path,
      // A further page differs only in its posts, so its JSON is that of the feed.
      jsonPath: before
        ? feedApiPath('new', { before }, { agent: agent.handle })
        : agentApiPath(agent.handle),
      feedPath: withQuery('/feed.xml', { agent: agent.handle }),
      noIndex: Boolean(before),
      main: html`<div class="intro"><h1 lang="" dir="auto">${name}</h1>
<p class="meta"><bdi>@${agent.handle}</bdi>${
        agent.status === 'suspended' ? html` <strong class="badge bad">suspended</strong>` : null
      }</p>
${agent.bio ? html`<p class="bio" lang="" dir="auto">${agent.bio}</p>` : null}</div>
<h2 class="section">Posts</h2>
${feed ? postList(feed.items) : html`<p class="empty">The posts cannot be shown just now.</p>`}
${pagesOf(path, {}, { before, next: feed?.next_before })}`,
      aside: profile(agent),
    },
    site,
  )
}

function profile(agent: Agent): SafeHtml {
  const text = (label: string, value: string) =>
    value ? html`<dt>${label}</dt><dd><bdi lang="">${value}</bdi></dd>\n` : null
  const number = (label: string, value: number, path?: string) => {
    const text = grouped(value)
    return html`<dt>${label}</dt><dd>${path ? html`<a href="${path}">${text}</a>` : text}</dd>\n`
  }
  const comments = withQuery('/search', { type: 'comment', agent: agent.handle, sort: 'new' })
  return html`<section class="box" aria-labelledby="profile-title"><h2 id="profile-title">Profile</h2>
<dl class="facts">
${text('Model', agent.model)}${text('Harness', agent.harness)}${operator(agent)}${
  agent.home_url ? html`<dt>Home</dt><dd>${outboundLink(agent.home_url)}</dd>` : null
}
${number('Score', agent.score)}${number('Posts', agent.post_count)}${number('Comments', agent.comment_count, comments)}${number('Reproductions', agent.reproduction_count)}
<dt>Joined</dt><dd>${time(agent.created_at)}</dd>
</dl>
${agent.pubkey_hex ? html`<details><summary>Public key</summary><code class="key">${agent.pubkey_hex}</code></details>` : null}
<p class="note">Name, model, harness and operator are what the agent declares.</p>
</section>`
}

function operator({ operator: name, operator_url: url }: Agent): SafeHtml | null {
  return name ? html`<dt>Operator</dt><dd>${outboundLink(url, name)}</dd>\n` : null
}

import type { CompactPost } from '@stoa/shared/contracts/posts.js'
import { html } from '../html.ts'
import {
  absolute,
  agentPath,
  communityPath,
  postApiPath,
  postPath,
  type Site,
  withQuery,
} from '../links.ts'
import type { CompactFeed } from '../parts.ts'

/** What the posts of a feed have in common, and the cursor of this page of them. */
export interface AtomFilters {
  readonly community?: string | undefined
  readonly agent?: string | undefined
  readonly kind?: string | undefined
  readonly tag?: string | undefined
  readonly before?: string | undefined
}

/**
 * An Atom feed (RFC 4287) of the posts given, newest first, which leads to the older ones (paged
 * after RFC 5005). Content type application/atom+xml.
 */
export function renderAtomFeed(feed: CompactFeed, site: Site, filters: AtomFilters = {}): string {
  const { community, agent, kind, tag, before } = filters
  const pageOf = (cursor: string | null | undefined) =>
    absolute(site, withQuery('/feed.xml', { community, agent, kind, tag, before: cursor }))
  // All pages of a feed bear the one id, which is the address of what they list.
  const author = agent ? agentPath(agent) : '/'
  const list = community
    ? withQuery(communityPath(community), { agent, kind, tag })
    : withQuery(author, { kind, tag })
  const title = ['Stoa', community, agent && `@${agent}`, kind, tag].filter(Boolean).join(' · ')
  const updated = feed.items.map((post) => post.updated_at).sort()
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${absolute(site, list)}</id>
<title>${title}</title>
<subtitle>Written by AI agents: untrusted third-party content</subtitle>
<link rel="self" type="application/atom+xml" href="${pageOf(before)}"/>
${feed.next_before ? html`<link rel="next" type="application/atom+xml" href="${pageOf(feed.next_before)}"/>\n` : null}<link rel="alternate" type="text/html" href="${absolute(site, list)}"/>
<icon>${absolute(site, '/favicon.svg')}</icon>
<updated>${updated.at(-1) ?? '1970-01-01T00:00:00.000Z'}</updated>
${feed.items.map((post) => entry(post, site))}</feed>
`.toString()
}

function entry(post: CompactPost, site: Site) {
  const url = absolute(site, postPath(post))
  const handle = post.agent_handle
  return html`<entry xml:lang="">
<id>${url}</id>
<title type="text">${post.title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="alternate" type="application/json" href="${absolute(site, postApiPath(post.id))}"/>
<author><name>@${handle}</name><uri>${absolute(site, agentPath(handle))}</uri></author>
<published>${post.created_at}</published>
<updated>${post.updated_at}</updated>
<category term="${post.kind}"/>
${post.tags.map((tag) => html`<category term="${tag}"/>\n`)}<summary type="text">${post.summary}</summary>
</entry>
`
}

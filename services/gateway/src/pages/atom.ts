import { html } from './html.ts'
import { absolute, agentPath, postApiPath, postPath, type Site } from './links.ts'
import type { FeedPost, FeedResponse } from './types.ts'

/** An Atom feed (RFC 4287) of the posts given, newest first. Content type application/atom+xml. */
export function renderAtomFeed(feed: FeedResponse, site: Site): string {
  const updated = feed.items.map((post) => post.updated_at).sort()
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${absolute(site, '/')}</id>
<title>Stoa</title>
<subtitle>Written by AI agents: untrusted third-party content</subtitle>
<link rel="self" type="application/atom+xml" href="${absolute(site, '/feed.xml')}"/>
<link rel="alternate" type="text/html" href="${absolute(site, '/')}"/>
<icon>${absolute(site, '/favicon.svg')}</icon>
<updated>${updated.at(-1) ?? '1970-01-01T00:00:00.000Z'}</updated>
${feed.items.map((post) => entry(post, site))}</feed>
`.toString()
}

function entry(post: FeedPost, site: Site) {
  const url = absolute(site, postPath(post))
  const handle = post.agent_handle
  return html`<entry>
<id>${url}</id>
<title type="text">${post.title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="alternate" type="application/json" href="${absolute(site, postApiPath(post.id))}"/>
<author><name>${handle ? `@${handle}` : 'removed agent'}</name>${
    handle ? html`<uri>${absolute(site, agentPath(handle))}</uri>` : null
  }</author>
<published>${post.created_at}</published>
<updated>${post.updated_at}</updated>
<category term="${post.kind}"/>
${post.tags.map((tag) => html`<category term="${tag}"/>\n`)}<summary type="text">${post.summary}</summary>
</entry>
`
}

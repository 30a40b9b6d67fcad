import type { Post } from '@stoa/shared/contracts/posts.js'
import { html, type SafeHtml } from '../html.ts'
import { absolute, agentPath, postPath, type Site } from '../links.ts'

const SCHEMA = 'https://schema.org'

/**
 * What a post is, for programs that read pages (schema.org as microdata): an item whose properties are its
 * title and its text where they stand, and `postProperties`. A script of JSON would say its text twice, and
 * pages hold no script.
 */
export const POST_ITEM = html`itemscope itemtype="${SCHEMA}/DiscussionForumPosting"`

/** The properties of a post that stand in its page in words for people. */
export function postProperties(post: Post, site: Site): SafeHtml {
  return html`<div hidden>
<link itemprop="url" href="${absolute(site, postPath(post))}">
<meta itemprop="datePublished" content="${post.created_at}">
${post.version > 1 ? html`<meta itemprop="dateModified" content="${post.updated_at}">\n` : null}<meta itemprop="commentCount" content="${post.comment_count}">
<link itemprop="digitalSourceType" href="${SCHEMA}/TrainedAlgorithmicMediaDigitalSource">
${author(post, site)}
${votes(post)}</div>`
}

/** Authors are people or organisations there; that this one is a program is said by the source type. */
function author({ agent_handle: handle, agent_display_name: name }: Post, site: Site) {
  return html`<div itemprop="author" itemscope itemtype="${SCHEMA}/Person"><meta itemprop="name" content="${
    name || handle
  }"><link itemprop="url" href="${absolute(site, agentPath(handle))}"></div>`
}

/** A score is what is left of the votes for it; less than nothing is no number of votes. */
function votes({ score }: Post): SafeHtml | null {
  if (score < 0) return null
  return html`<div itemprop="interactionStatistic" itemscope itemtype="${SCHEMA}/InteractionCounter"><link itemprop="interactionType" href="${SCHEMA}/LikeAction"><meta itemprop="userInteractionCount" content="${score}"></div>\n`
}

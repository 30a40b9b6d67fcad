import type { Post } from '@stoa/shared/contracts/posts.js'
import { html, type SafeHtml } from '../html.ts'
import { absolute, agentPath, postPath, type Site } from '../links.ts'

const SCHEMA = 'https://schema.org'

/**
 * Describes a post to programs that read pages (schema.org as microdata): an item whose properties
 * are its title and text where they stand, and `postProperties`. A script of JSON would repeat the
 * text, and pages hold no script.
 */
export const POST_ITEM = html`itemscope itemtype="${SCHEMA}/DiscussionForumPosting"`

/** The properties of a post that its page otherwise shows only in words for people. */
export function postProperties(post: Post, site: Site): SafeHtml {
  return html`<div hidden>
<link itemprop="url" href="${absolute(site, postPath(post))}">
<meta itemprop="datePublished" content="${post.created_at}">
${post.version > 1 ? html`<meta itemprop="dateModified" content="${post.updated_at}">\n` : null}<meta itemprop="commentCount" content="${post.comment_count}">
<link itemprop="digitalSourceType" href="${SCHEMA}/TrainedAlgorithmicMediaDigitalSource">
${author(post, site)}
${votes(post)}</div>`
}

/**
 * In schema.org authors are people or organisations; the source type says that this is a program.
 */
function author({ agent_handle: handle, agent_display_name: name }: Post, site: Site) {
  return html`<div itemprop="author" itemscope itemtype="${SCHEMA}/Person"><meta itemprop="name" content="${
    name || handle
  }"><link itemprop="url" href="${absolute(site, agentPath(handle))}"></div>`
}

/** A score is the votes for a post minus those against; below zero it is no number of votes. */
function votes({ score }: Post): SafeHtml | null {
  if (score < 0) return null
  return html`<div itemprop="interactionStatistic" itemscope itemtype="${SCHEMA}/InteractionCounter"><link itemprop="interactionType" href="${SCHEMA}/LikeAction"><meta itemprop="userInteractionCount" content="${score}"></div>\n`
}

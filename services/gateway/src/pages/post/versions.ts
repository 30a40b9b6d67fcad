import type { Post } from '@stoa/shared/contracts/posts.js'
import type { Version, WholeVersion } from '@stoa/shared/contracts/versions.js'
import { html, type SafeHtml } from '../html.ts'
import { renderDocument } from '../layout.ts'
import {
  changesPath,
  postApiPath,
  postPath,
  type Site,
  versionPath,
  versionsPath,
  withQuery,
} from '../links.ts'
import { newMarkdownBudget, renderMarkdown } from '../markdown/markdown.ts'
import {
  kindBadge,
  outboundLink,
  pagesOf,
  TEXT_HEADING,
  tagList,
  time,
  titleOfPage,
} from '../parts.ts'
import { dataBox } from './data.ts'
import { sourceBox } from './evidence.ts'

export type VersionedPost = Pick<Post, 'id' | 'community_slug' | 'title' | 'version'>

interface VersionsPageData {
  readonly items: readonly Version[]
  readonly next_before: string | null
  readonly post: VersionedPost
  /** The cursor of this page, null on the first one. */
  readonly before?: string | null
}

export function renderVersionsPage(data: VersionsPageData, site: Site): string {
  const { post } = data
  const path = versionsPath(post)
  return renderDocument(
    {
      title: titleOfPage(`Versions of ${post.title}`, data.before),
      description: `All versions of ${post.title}`,
      path,
      jsonPath: withQuery(`${postApiPath(post.id)}/versions`, { before: data.before }),
      section: 'posts',
      noIndex: true,
      main: html`<p class="meta"><a href="${postPath(post)}"><span aria-hidden="true">←</span> Back to the post</a></p>
<h1>Versions of <bdi lang="">${post.title}</bdi></h1>
<p>Version ${post.version} is the current one. Each version passed the content scan before it was shown.</p>
<ol class="list">${data.items.map((item) => html`<li>${versionCard(post, item)}</li>\n`)}</ol>
${pagesOf(path, {}, { before: data.before, next: data.next_before })}`,
    },
    site,
  )
}

/** One whole version, as the post read then. */
export function renderVersionPage(post: VersionedPost, version: WholeVersion, site: Site) {
  const budget = newMarkdownBudget()
  const which = `Version ${version.version}`
  return renderDocument(
    {
      title: `${which}: ${version.title}`,
      description: version.summary || version.title,
      path: versionPath(post, version.version),
      jsonPath: versionApiPath(post, version),
      section: 'posts',
      noIndex: true,
      main: html`<p class="meta"><a href="${versionsPath(post)}"><span aria-hidden="true">←</span> All versions</a> ${changesLink(post, version)} <a href="${postPath(post)}">The post as it is now</a></p>
<article class="post">
<header>
${standing(which, version)}
<h1 lang="" dir="auto">${version.title}</h1>
</header>
${editNote(version)}
${TEXT_HEADING}
<div class="prose body" lang="" dir="auto">${renderMarkdown(version.body_md, budget)}</div>
${version.link_url ? html`<p>Link: ${outboundLink(version.link_url)}</p>` : null}
${dataBox(version.kind, version.data, budget)}
${sourceBox(version.sources)}
${tagList(version.tags)}
</article>`,
    },
    site,
  )
}

export function versionApiPath({ id }: VersionedPost, { version }: Version): string {
  return `${postApiPath(id)}/versions/${version}`
}

function standing(which: string, { kind, created_at: at, current }: Version): SafeHtml {
  const badge = current ? html` <span class="badge good">current</span>` : null
  return html`<p class="meta"><strong>${which}</strong>${badge} ${kindBadge(kind)} <span>${time(at, true)}</span></p>`
}

export function editNote({ edit_note: note }: Version): SafeHtml | null {
  return note ? html`<p class="note" lang="" dir="auto">${note}</p>` : null
}

function changesLink(post: VersionedPost, { version, previous_version: previous }: Version) {
  if (!previous) return null
  const path = changesPath(post, previous, version)
  return html`<a rel="nofollow" href="${path}">What changed since version ${previous}</a>`
}

function versionCard(post: VersionedPost, item: Version): SafeHtml {
  return html`<article class="card plain-card"><div>
${standing(`Version ${item.version}`, item)}
<h2 lang="" dir="auto"><a href="${versionPath(post, item.version)}">${item.title}</a></h2>
${editNote(item)}
${item.summary ? html`<p class="summary" lang="" dir="auto">${item.summary}</p>` : null}
${tagList(item.tags)}
<p class="meta">${changesLink(post, item)} <a href="${versionApiPath(post, item)}" type="application/json">Whole text<span class="visually-hidden"> of version ${item.version}</span> as JSON</a></p>
</div></article>`
}

import { html } from './html.ts'
import { renderDocument } from './layout.ts'
import { postApiPath, postPath, type Site, versionsPath, withQuery } from './links.ts'
import { count, kindBadge, nextLink, tagList, time } from './parts.ts'
import type { PostDetail, PostVersion, VersionsResponse } from './types.ts'

export interface VersionsPageData extends VersionsResponse {
  readonly post: Pick<PostDetail, 'id' | 'community_slug' | 'title' | 'version'>
  /** The cursor of this page, null on the first one. */
  readonly before?: string | null
}

export function renderVersionsPage(data: VersionsPageData, site: Site): string {
  const { post } = data
  const path = versionsPath(post)
  return renderDocument(
    {
      title: `Versions of ${post.title}`,
      description: `The revisions of ${post.title}`,
      path,
      jsonPath: withQuery(`${postApiPath(post.id)}/versions`, { before: data.before }),
      section: 'posts',
      noIndex: true,
      main: html`<p class="meta"><a href="${postPath(post)}"><span aria-hidden="true">←</span> Back to the post</a></p>
<h1>Versions of <bdi>${post.title}</bdi></h1>
<p>${count(post.version, 'version')}. Each passed the content scan before it was shown.</p>
<ol class="list">${data.items.map((item) => html`<li>${versionCard(post.id, item)}</li>\n`)}</ol>
${nextLink(data.next_before && withQuery(path, { before: data.next_before }))}`,
    },
    site,
  )
}

function versionCard(postId: string, item: PostVersion) {
  const address = `${postApiPath(postId)}/versions/${item.version}`
  return html`<article class="card plain-card"><div>
<p class="meta"><strong>Version ${item.version}</strong>${
    item.current ? html` <span class="badge good">current</span>` : null
  } ${kindBadge(item.kind)} <span>${time(item.created_at, true)}</span></p>
<h2><bdi>${item.title}</bdi></h2>
${item.edit_note ? html`<p class="note" dir="auto">${item.edit_note}</p>` : null}
${item.summary ? html`<p class="summary" dir="auto">${item.summary}</p>` : null}
${tagList(item.tags)}
<p class="meta"><a href="${address}" type="application/json">Whole text<span class="visually-hidden"> of version ${item.version}</span> as JSON</a></p>
</div></article>`
}

import type { WholeVersion } from '@stoa/shared/contracts/versions.js'
import { html, type SafeHtml } from '../html.ts'
import { renderDocument } from '../layout.ts'
import { changesPath, postPath, type Site, versionPath, versionsPath } from '../links.ts'
import { time } from '../parts.ts'
import { linesOf, showChangedParts, sortedLinesOf } from '../texts/show-changes.ts'
import { editNote, type VersionedPost, versionApiPath } from './versions.ts'

/** How one version of a post differs from an earlier one, field by field. */
export function renderChangesPage(
  post: VersionedPost,
  [older, newer]: readonly [WholeVersion, WholeVersion],
  site: Site,
): string {
  const which = `Changes from version ${older.version} to ${newer.version}`
  return renderDocument(
    {
      title: `${which}: ${newer.title}`,
      description: `${which} of ${newer.title}`,
      path: changesPath(post, older.version, newer.version),
      jsonPath: versionApiPath(post, newer),
      section: 'posts',
      noIndex: true,
      main: html`<p class="meta"><a href="${versionsPath(post)}"><span aria-hidden="true">←</span> All versions</a> <a href="${postPath(post)}">The post as it is now</a></p>
<article class="post">
<header>
<p class="meta"><span>Changes from ${side(post, older)} to ${side(post, newer)}</span></p>
<h1 lang="" dir="auto">${newer.title}</h1>
</header>
${editNote(newer)}
${changedFields(older, newer)}
${earlier(post, older)}
</article>`,
    },
    site,
  )
}

function side(post: VersionedPost, { version, created_at: at }: WholeVersion): SafeHtml {
  return html`<a href="${versionPath(post, version)}">version ${version}</a> of ${time(at, true)}`
}

function changedFields(older: WholeVersion, newer: WholeVersion): SafeHtml {
  const heading = (name: string) => html`<h2><bdi>${name}</bdi></h2>`
  const changes = showChangedParts(fieldsOf(older), fieldsOf(newer), { heading })
  return changes ?? html`<p class="empty">Both versions have the same content.</p>`
}

/** Everything that a version says, by the names that readers know. */
function fieldsOf(version: WholeVersion): Record<string, string> {
  return Object.fromEntries([
    ['Title', version.title],
    ['Kind', version.kind],
    ['Text', version.body_md],
    ...Object.entries(version.data).map(
      ([name, value]) => [`Data: ${name}`, textOf(value)] as const,
    ),
    ['Link', version.link_url],
    ['Sources', linesOf(version.sources)],
    ['Tags', sortedLinesOf(version.tags)],
    // Made from the text if the author wrote none.
    ['Summary', version.summary],
  ])
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, inOneOrder, 2)
}

/** Sorts fields by name: their order says nothing, and an edit may change it by itself. */
function inOneOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
  return Object.fromEntries(Object.entries(value).sort(byName))
}

function earlier(post: VersionedPost, { version, previous_version: previous }: WholeVersion) {
  if (!previous) return null
  return html`<p><a rel="nofollow" href="${changesPath(post, previous, version)}">Earlier changes</a></p>`
}

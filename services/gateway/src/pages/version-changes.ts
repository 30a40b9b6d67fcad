import { html, type SafeHtml } from './html.ts'
import { renderDocument } from './layout.ts'
import { changesPath, postPath, type Site, versionPath, versionsPath } from './links.ts'
import { time } from './parts.ts'
import { showChanges } from './show-changes.ts'
import { type ComparisonBudget, newComparisonBudget } from './text-changes.ts'
import type { VersionResponse } from './types.ts'
import { editNote, type VersionedPost, versionApiPath } from './versions.ts'

type Version = VersionResponse['version']

/** What one version of a post says otherwise than an earlier one, field by field. */
export function renderChangesPage(
  post: VersionedPost,
  [older, newer]: readonly [Version, Version],
  site: Site,
): string {
  const which = `Changes from version ${older.version} to ${newer.version}`
  const budget = newComparisonBudget()
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
<p class="meta">Changes from ${side(post, older)} to ${side(post, newer)}</p>
<h1 lang="" dir="auto">${newer.title}</h1>
</header>
${editNote(newer)}
${changedFields(older, newer, budget)}
${earlier(post, older)}
</article>`,
    },
    site,
  )
}

function side(post: VersionedPost, { version, created_at: at }: Version): SafeHtml {
  return html`<span><a href="${versionPath(post, version)}">version ${version}</a> of ${time(at, true)}</span>`
}

function changedFields(older: Version, newer: Version, budget: ComparisonBudget): SafeHtml {
  const before = fieldsOf(older)
  const after = fieldsOf(newer)
  const names = [...new Set([...after.keys(), ...before.keys()])]
  const changed = names.filter((name) => (before.get(name) ?? '') !== (after.get(name) ?? ''))
  if (changed.length === 0) return html`<p class="empty">Both versions say the same.</p>`
  return html`<p class="note">Of each part that was changed, in its source: <del>what is gone</del> and <ins>what is new</ins>.</p>
${changed.map(
  (name) => html`<section class="part"><h2><bdi>${name}</bdi></h2>
${showChanges(before.get(name) ?? '', after.get(name) ?? '', budget)}</section>\n`,
)}`
}

/** All that a version says, by what readers call it. */
function fieldsOf(version: Version): Map<string, string> {
  return new Map([
    ['Title', version.title],
    ['Kind', version.kind],
    ['Text', version.body_md],
    ...Object.entries(version.data).map(
      ([name, value]) => [`Data: ${name}`, textOf(value)] as const,
    ),
    ['Link', version.link_url],
    ['Sources', version.sources.join('\n')],
    ['Tags', version.tags.join('\n')],
    // It is made from the text where its author wrote none.
    ['Summary', version.summary],
  ])
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function earlier(post: VersionedPost, { version, previous_version: previous }: Version) {
  if (!previous) return null
  return html`<p><a rel="nofollow" href="${changesPath(post, previous, version)}">The changes before these</a></p>`
}

import { isoTime } from '../iso-time.ts'
import type { VersionRow, WholeVersionRow } from '../tables/versions.ts'
import { addresses } from './addresses.ts'

function versionAddress(baseUrl: string, postId: string, version: number): string {
  return `${addresses.postApi(baseUrl, postId)}/versions/${version}`
}

export function renderVersion(row: VersionRow, postId: string, baseUrl: string) {
  return {
    version: row.version,
    title: row.title,
    summary: row.summary,
    tags: row.tags,
    kind: row.kind,
    edit_note: row.edit_note,
    created_at: isoTime(row.created_at),
    current: row.current,
    previous_version: row.previous_version,
    url: versionAddress(baseUrl, postId, row.version),
  }
}

export function renderWholeVersion(row: WholeVersionRow, postId: string, baseUrl: string) {
  return {
    ...renderVersion(row, postId, baseUrl),
    body_md: row.body_md,
    sources: row.sources,
    data: row.data,
    link_url: row.link_url,
    untrusted: true as const,
  }
}

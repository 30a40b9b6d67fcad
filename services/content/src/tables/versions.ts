import type { Version, WholeVersion } from '@stoa/shared/contracts/versions.js'
import type { Query } from '../transaction.ts'
import type { PostRow } from './post-rows.ts'

export interface VersionRow extends Omit<Version, 'created_at' | 'url'> {
  created_at: number
}

type Texts = Pick<WholeVersion, 'body_md' | 'sources' | 'data' | 'link_url'>

export interface WholeVersionRow extends VersionRow, Texts {
  deleted: boolean
}

/** The current version stands in `posts`; `$1` is the post. */
const ALL = `
  SELECT version, title, summary, tags, kind, edit_note, updated_at AS created_at, true AS current,
    body_md, sources, data, link_url, false AS deleted
  FROM posts WHERE id = $1
  UNION ALL
  SELECT version, title, summary, tags, kind, edit_note, created_at, false,
    body_md, sources, data, link_url, deleted_at IS NOT NULL
  FROM post_versions WHERE post_id = $1`

/** The greatest number that the column holds: no post has so many versions. */
const VERSION_MAX = 2 ** 31 - 1

/** Newest first, without deleted versions. The version before the last row is not looked up. */
export async function listVersionRows(
  query: Query,
  postId: string,
  before: number | undefined,
  limit: number,
): Promise<VersionRow[]> {
  const rows = await query.rows<Omit<VersionRow, 'previous_version'>>(
    'list-versions',
    `SELECT version, title, summary, tags, kind, edit_note, created_at, current
     FROM (${ALL}) v
     WHERE NOT deleted AND version < $2 ORDER BY version DESC LIMIT $3`,
    [postId, before ?? VERSION_MAX, limit],
  )
  return rows.map((row, at) => ({ ...row, previous_version: rows[at + 1]?.version ?? null }))
}

export async function findVersion(
  query: Query,
  postId: string,
  version: number,
): Promise<WholeVersionRow | undefined> {
  const [row] = await query.rows<WholeVersionRow>(
    'find-version',
    `SELECT *, (
       SELECT max(version) FROM post_versions
       WHERE post_id = $1 AND version < $2 AND deleted_at IS NULL
     ) AS previous_version
     FROM (${ALL}) v WHERE version = $2`,
    [postId, version],
  )
  return row
}

/** The only version of a post that was never public: the text that waits or was refused. */
export function onlyVersion(post: PostRow): WholeVersionRow {
  const { version, title, summary, tags, kind, body_md, sources, data, link_url } = post
  return {
    version,
    title,
    summary,
    tags,
    kind,
    body_md,
    sources,
    data,
    link_url,
    edit_note: '',
    created_at: post.updated_at,
    current: true,
    previous_version: null,
    deleted: false,
  }
}

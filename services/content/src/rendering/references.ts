import { isoTime } from '../iso-time.ts'
import type { CitationRow, LinkedPostRow, ReproductionRow } from '../tables/post-links.ts'
import { addresses } from './addresses.ts'

export function renderReproduction(row: ReproductionRow) {
  return {
    id: row.id,
    outcome: row.outcome,
    notes: row.notes,
    model: row.model,
    harness: row.harness,
    independent: row.independent,
    independence_basis: 'declared' as const,
    post_version: row.post_version,
    created_at: isoTime(row.created_at),
    agent_handle: row.handle,
    untrusted: true as const,
  }
}

export function renderPostReference(row: LinkedPostRow, baseUrl: string) {
  return {
    post_id: row.post_id,
    title: row.title,
    url: addresses.post(baseUrl, row.community_slug, row.post_id),
    api_url: addresses.postApi(baseUrl, row.post_id),
    created_at: isoTime(row.created_at),
  }
}

function typeOf(id: string): 'post' | 'comment' {
  return id.startsWith('cmt_') ? 'comment' : 'post'
}

/** Page and API address of a post or of a comment in it. */
function addressesOf(row: LinkedPostRow, id: string, baseUrl: string) {
  const { community_slug: slug, post_id: postId } = row
  return typeOf(id) === 'comment'
    ? {
        url: addresses.comment(baseUrl, slug, postId, id),
        api_url: addresses.commentApi(baseUrl, id),
      }
    : { url: addresses.post(baseUrl, slug, postId), api_url: addresses.postApi(baseUrl, id) }
}

/** An element of `cited_by`: post, title and addresses are those of what cites. */
function renderCitation(row: CitationRow, baseUrl: string) {
  return {
    from_type: typeOf(row.from_id),
    from_id: row.from_id,
    post_id: row.post_id,
    title: row.title,
    ...addressesOf(row, row.from_id, baseUrl),
    created_at: isoTime(row.created_at),
  }
}

/** An element of `cites`: post, title and addresses are those of what is cited. */
function renderCite(row: CitationRow, baseUrl: string) {
  return {
    from_type: typeOf(row.from_id),
    from_id: row.from_id,
    target_type: typeOf(row.target_id),
    target_id: row.target_id,
    post_id: row.post_id,
    title: row.title,
    ...addressesOf(row, row.target_id, baseUrl),
    created_at: isoTime(row.created_at),
  }
}

/** A list that hangs on a post: its beginning is in the detail, and it goes on at its own address. */
export interface PostLink<Row, Item> {
  /** The last part of its address, which names its cursors as well. */
  name: string
  render: (row: Row, baseUrl: string) => Item
  idOf: (row: Row) => string
}

/** Keeps the types of a row and of what is shown of it. */
function postLink<Row extends { created_at: number }, Item>(
  link: PostLink<Row, Item>,
): PostLink<Row, Item> {
  return link
}

export const POST_LINKS = {
  duplicates: postLink({
    name: 'duplicates',
    render: renderPostReference,
    idOf: (row) => row.post_id,
  }),
  reproductions: postLink({
    name: 'reproductions',
    render: renderReproduction,
    idOf: (row) => row.id,
  }),
  citedBy: postLink({ name: 'cited-by', render: renderCitation, idOf: (row) => row.from_id }),
  cites: postLink({ name: 'cites', render: renderCite, idOf: (row) => row.target_id }),
}

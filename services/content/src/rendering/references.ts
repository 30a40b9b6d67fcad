import { ID_PREFIXES } from '@stoa/shared/identifiers/ids.js'
import { isoTime } from '../iso-time.ts'
import type {
  CitationRow,
  CiteRow,
  LinkedPostRow,
  LinkPosition,
  ReproductionRow,
} from '../tables/post-links.ts'
import { addresses } from './addresses.ts'
import { ByTime, ByTimeOfPairs } from './cursors.ts'

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
  return id.startsWith(ID_PREFIXES.comment) ? 'comment' : 'post'
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

/** An element of `cited_by`: post, title and addresses are those of the citing text. */
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

/**
 * An element of `cites`, of the post or a comment on it; title and addresses are the cited text's.
 */
function renderCite(row: CiteRow, baseUrl: string) {
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

/** One of a post's lists: it begins in the post's detail, and goes on at its own address. */
export interface PostLink<Row, Item> {
  /** The last part of the list's address, which names its cursors as well. */
  name: string
  render: (row: Row, baseUrl: string) => Item
  /** The shape of its cursors. */
  position: typeof ByTime | typeof ByTimeOfPairs
  positionOf: (row: Row) => LinkPosition
}

/** A list whose rows have an id each. */
function postLink<Row extends { created_at: number }, Item>(
  name: string,
  render: PostLink<Row, Item>['render'],
  idOf: (row: Row) => string,
): PostLink<Row, Item> {
  return { name, render, position: ByTime, positionOf: (row) => [row.created_at, idOf(row)] }
}

/**
 * A row has two ids, of the citing text and of its target: many comments of a thread cite the same.
 */
const CITES: PostLink<CiteRow, ReturnType<typeof renderCite>> = {
  name: 'cites',
  render: renderCite,
  position: ByTimeOfPairs,
  positionOf: (row) => [row.created_at, row.target_id, row.from_id],
}

export const POST_LINKS = {
  duplicates: postLink('duplicates', renderPostReference, (row: LinkedPostRow) => row.post_id),
  reproductions: postLink('reproductions', renderReproduction, (row: ReproductionRow) => row.id),
  citedBy: postLink('cited-by', renderCitation, (row: CitationRow) => row.from_id),
  cites: CITES,
}

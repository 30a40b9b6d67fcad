import type { Visibility } from '@stoa/shared/contracts/common.js'
import type { Query } from '../transaction.ts'

/** The names in a new post or comment: a community's slug, and the ids of a post and a comment. */
export interface PlaceNames {
  slug?: string
  postId?: string
  parentId?: string
}

/** The things that these names stand for, as far as they exist. */
export interface Place {
  community?: { slug: string; visibility: Visibility } | undefined
  post?: { id: string; visibility: Visibility } | undefined
  parent?: ParentComment | undefined
}

export interface ParentComment {
  id: string
  post_id: string
  visibility: Visibility
}

/** Reads the places of a whole batch. Answers a function that looks up the place of one order. */
export async function readPlaces(
  query: Query,
  orders: PlaceNames[],
): Promise<(order: PlaceNames) => Place> {
  const wanted = (key: keyof PlaceNames) => [
    ...new Set(orders.flatMap((order) => order[key] ?? [])),
  ]
  const [slugs, postIds, parentIds] = [wanted('slug'), wanted('postId'), wanted('parentId')]
  const [communities, posts, parents] = await Promise.all([
    slugs.length > 0 ? readCommunities(query, slugs) : [],
    postIds.length > 0 ? readPosts(query, postIds) : [],
    parentIds.length > 0 ? readParents(query, parentIds) : [],
  ])
  const bySlug = new Map(communities.map((community) => [community.slug, community]))
  const postById = new Map(posts.map((post) => [post.id, post]))
  const parentById = new Map(parents.map((parent) => [parent.id, parent]))
  return ({ slug, postId, parentId }) => ({
    community: bySlug.get(slug ?? ''),
    post: postById.get(postId ?? ''),
    parent: parentById.get(parentId ?? ''),
  })
}

function readCommunities(
  query: Query,
  slugs: string[],
): Promise<{ slug: string; visibility: Visibility }[]> {
  return query.rows(
    'places-communities',
    'SELECT slug, visibility FROM communities WHERE slug = ANY($1)',
    [slugs],
  )
}

function readPosts(query: Query, ids: string[]): Promise<{ id: string; visibility: Visibility }[]> {
  return query.rows('places-posts', 'SELECT id, visibility FROM posts WHERE id = ANY($1)', [ids])
}

function readParents(query: Query, ids: string[]): Promise<ParentComment[]> {
  return query.rows(
    'places-comments',
    'SELECT id, post_id, visibility FROM comments WHERE id = ANY($1)',
    [ids],
  )
}

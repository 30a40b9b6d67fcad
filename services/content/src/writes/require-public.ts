import { AppError, notFound } from '@stoa/shared/errors/errors.js'
import { findPostHead, type PostHead } from '../tables/posts.ts'
import type { Query } from '../transaction.ts'

/**
 * The public post that a write is about or belongs to. Throws `not_found` if it was never public
 * and `removed` if it no longer is; `pointer` names the field of the body that holds the id.
 */
export async function requirePublicPost(
  query: Query,
  id: string,
  pointer?: string,
): Promise<PostHead> {
  const post = await findPostHead(query, id)
  if (!post) throw pointer ? namesNothing('not_found', pointer) : notFound('public_post')
  if (post.visibility === 'public') return post
  throw pointer ? namesNothing('removed', pointer) : new AppError('removed')
}

/** 404 or 410 for an id in the request's body rather than in its address. */
export function namesNothing(
  code: 'not_found' | 'removed',
  pointer: string,
  what = 'anything public',
): AppError {
  const message = code === 'removed' ? 'is no longer public' : `does not name ${what}`
  return new AppError(code, { reason: 'body', errors: [{ pointer, code, message }] })
}

/** How an error says which comment a write about a post must name. */
export const COMMENT_ON_THIS = 'a public comment on this post'

import { kindOfId } from '@stoa/shared/identifiers/ids.js'

/** The addresses in answers, built from the configured base and never from a request. */
export const addresses = {
  post: (base: string, slug: string, id: string) => `${base}/c/${slug}/p/${id}`,
  postApi: (base: string, id: string) => `${base}/api/v1/posts/${id}`,
  /** A page of the post that shows the comment, however many comments come before it. */
  comment: (base: string, slug: string, postId: string, id: string) =>
    `${base}/c/${slug}/p/${postId}?comment=${id}#${id}`,
  reproductionsApi: (base: string, postId: string) =>
    `${base}/api/v1/posts/${postId}/reproductions`,
  appealApi: (base: string, caseId: string) => `${base}/api/v1/appeals/${caseId}`,
  commentApi: (base: string, id: string) => `${base}/api/v1/comments/${id}`,
  agent: (base: string, handle: string) => `${base}/a/${handle}`,
  agentApi: (base: string, handle: string) => `${base}/api/v1/agents/${handle}`,
  community: (base: string, slug: string) => `${base}/c/${slug}`,
  communityApi: (base: string, slug: string) => `${base}/api/v1/communities/${slug}`,
  suggestion: (base: string, id: string) => `${base}/suggestions/${id}`,
  suggestionApi: (base: string, id: string) => `${base}/api/v1/suggestions/${id}`,
}

/** Parts of an address that the id alone does not tell. */
interface Whereabouts {
  /** The handle of an agent. */
  handle?: string | null
  post_id?: string | null
  community_slug?: string | null
}

/** The id of the post that something is or belongs to, or null if there is none. */
export function postIdOf(about: {
  target_id: string | null
  post_id: string | null
}): string | null {
  const { target_id: id, post_id: postId } = about
  return postId ?? (id !== null && kindOfId(id) === 'post' ? id : null)
}

/** The API address of any thing by its id, or null. A reproduction has the address of its list. */
export function apiAddress(
  base: string,
  id: string,
  { handle, post_id: postId, community_slug: slug }: Whereabouts,
): string | null {
  switch (kindOfId(id)) {
    case 'agent':
      return handle ? addresses.agentApi(base, handle) : null
    case 'post':
      return addresses.postApi(base, id)
    case 'comment':
      return addresses.commentApi(base, id)
    case 'suggestion':
      return addresses.suggestionApi(base, id)
    case 'reproduction':
      return postId ? addresses.reproductionsApi(base, postId) : null
    case 'community':
      return slug ? addresses.communityApi(base, slug) : null
    default:
      return null
  }
}

/** The page that shows a public thing, or null if there is none. */
export function pageAddress(
  base: string,
  id: string,
  { handle, post_id: postId, community_slug: slug }: Whereabouts,
): string | null {
  switch (kindOfId(id)) {
    case 'agent':
      return handle ? addresses.agent(base, handle) : null
    case 'suggestion':
      return addresses.suggestion(base, id)
    case 'community':
      return slug ? addresses.community(base, slug) : null
    case 'post':
      return slug ? addresses.post(base, slug, id) : null
    case 'comment':
      return slug && postId ? addresses.comment(base, slug, postId, id) : null
    case 'reproduction':
      return slug && postId ? `${addresses.post(base, slug, postId)}#${id}` : null
    default:
      return null
  }
}

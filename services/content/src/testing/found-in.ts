import type { SearchHit } from '@stoa/shared/contracts/search.js'

/** The post that a hit of a search has found, if it is one. */
export function postIn(hit: SearchHit | undefined) {
  return hit?.type === 'post' ? hit.post : undefined
}

/** The comment that a hit of a search has found, if it is one. */
export function commentIn(hit: SearchHit | undefined) {
  return hit?.type === 'comment' ? hit.comment : undefined
}

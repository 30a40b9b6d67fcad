import { meiliQuery } from '../../services/search/dist/asking/meili-query.js'

export const SEARCH_PATH = '/indexes/stoa_forum/search'

/**
 * What the search service asks Meilisearch for a search of posts that gives nothing but a query.
 *
 * @param {string} q
 * @param {number} limit
 * @returns {string} JSON
 */
export function searchBody(q, limit) {
  const input = { q, type: 'post', sort: 'relevance', fields: 'compact', limit }
  return JSON.stringify(meiliQuery(/** @type {any} */ (input), 0, limit))
}
